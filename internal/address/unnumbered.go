package address

// crossingAt returns the position of a word that joins two streets, or 0.
func (p *parser) crossingAt(from, to int) int {
	for i := from + 1; i+1 < to; i++ {
		if p.is(i, isJoin) {
			return i
		}
	}
	return 0
}

// secondStreet reads the second street of a crossing and the city behind it.
func (p *parser) secondStreet(f *frame, from, to, end int) {
	f.cross = span{uint16(from), uint16(to)}
	if to < end {
		p.rest(f, to, end)
		return
	}
	if p.last.state == "" && p.last.zip == "" {
		return
	}
	best, cut := p.streetScore(from, to), to
	for k := from + 1; k < to; k++ {
		if s := p.streetScore(from, k) + p.cityScore(k, to); s > best {
			best, cut = s, k
		}
	}
	f.cross.to = uint16(cut)
	f.city = span{uint16(cut), uint16(to)}
}

// unnumbered makes the frame of a street without a house number, or of a city
// alone.
func (p *parser) unnumbered(from, end int, city span, bonus int) {
	f := frame{kind: Street, post: -1, score: bonus, city: city}
	for i := from; i < end; {
		to := p.partEnd(i, end)
		if x := p.crossingAt(i, to); x > 0 {
			f.before = span{uint16(from), uint16(i)}
			f.core = span{uint16(i), uint16(x)}
			p.secondStreet(&f, x+1, to, end)
			p.add(f)
			return
		}
		if i == from && to == end && p.isPlace(from, end) {
			break
		}
		if p.looksLikeStreet(i, to) && (to < end || p.last.state == "" || p.streetScore(i, to) >= likelyStreet || to-i > 1) {
			f.before = span{uint16(from), uint16(i)}
			p.core(f, i, to, end, city)
			return
		}
		i = to
	}
	first := p.partEnd(from, end)
	if first < end && !p.is(from, hasDigit) {
		f.core = span{uint16(from), uint16(first)}
		p.rest(&f, first, end)
		f.score += p.form(formFirstPart)
		p.addStreet(f)
		return
	}
	// No street: a place.
	f.kind = NoDelivery
	last := from
	for i := from; i < end; i = p.partEnd(i, end) {
		last = i
	}
	f.city = span{uint16(last), uint16(end)}
	f.before = span{uint16(from), uint16(last)}
	p.add(f)
}

// isPlace reports whether words before a state are the city alone: LONG BEACH, CA.
func (p *parser) isPlace(from, end int) bool {
	s := span{uint16(from), uint16(end)}
	return p.last.state != "" && (p.cities != nil && p.cities.knowsCity(p.phrase(s), p.last.state, p.last.zip) || p.accepts(placeRules, s, from, end))
}

// looksLikeStreet reports whether a part without a house number is a street.
func (p *parser) looksLikeStreet(from, to int) bool {
	if to-from < 2 {
		return false
	}
	for i := from + 1; i < to; i++ {
		switch {
		case p.is(i, isSure):
			return true
		case p.is(i, isSuffix) && (i == to-1 || p.is(i+1, isDir)):
			return true
		case p.is(i, hasDigit) && p.highwayNumber(from, i):
			return true
		}
		if p.is(i, isJoin) && i+1 < to {
			return true
		}
	}
	return p.is(from, isSure) && len(p.word(from+1)) == 1
}
