package acs

// Parts that tests check by themselves.

var Decimal = decimal

var Difference = difference

func (x Estimate) CV() float64 { return x.cv() }

func (x Estimate) Scale(p0 float64) Estimate { return x.scale(p0) }

func (x Estimate) StandardError() float64 { return x.standardError() }

var Null = nullOf

var PriceFactor = priceFactor

var Proportion = proportion

var Quotient = quotient

func (x *Reader) Source() string { return x.source }

func (x *Registry) Find(p0 string) (int, bool) { return x.find(p0) }

var ReliabilityOf = reliabilityOf

var Round = round

var Sum = sumOf

func (x Value) Decimals() int { return int(x.decimals) }

func (x Value) Mark() Mark { return x.mark }
