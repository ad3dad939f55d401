package acs

// Parts that tests check by themselves.

var NewReader = newReader

var Decimal = decimal

var Difference = difference

func (e Estimate) CV() float64 { return e.cv() }

func (e Estimate) Scale(by float64) Estimate { return e.scale(by) }

func (e Estimate) StandardError() float64 { return e.standardError() }

var Null = nullOf

var PriceFactor = priceFactor

var Proportion = proportion

var Quotient = quotient

func (r *Reader) Source() string { return r.source }

func (r *Registry) Find(key string) (int, bool) { return r.find(key) }

var ReliabilityOf = reliabilityOf

var Round = round

var Sum = sumOf

func (v Value) Decimals() int { return int(v.decimals) }

func (v Value) Mark() Mark { return v.mark }

type Bracket = bracket

func (f *Field) Brackets(year int) []fieldBracket { return f.brackets(year) }

var MedianOfBrackets = medianOfBrackets
