package geocode

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/pub28"
)

// The functions below rewrite texts before they are parsed. The parser of package address
// reads addresses in the order of mail: street, city, state, code. Texts for geocoding come
// from tables and people in other orders, too. Parts are moved only
// on evidence of the dataset's codes and states, or of the form of a street.

// prepared gives a text forms that the parser reads: numbers of one word, and & between
// crossing streets.
func prepared(text string) string {
	text = strings.TrimSpace(text)
	if number, rest := gridNumber(text); number != "" {
		text = number + rest
	}
	return plainCrossing(text)
}

// ordered puts a country, a state and a code before the other parts of a text behind them:
// Canada, ON, Toronto, and OK 74839, Dustin. A city with its state goes behind the house number:
// Vancouver, BC, 1876 Prestwick Dr.
func (e *Engine) ordered(text string) string {
	var country, state, code string
	rest := text
	for {
		first, after, found := strings.Cut(rest, ",")
		first = strings.TrimSpace(first)
		isCode := e.isCode(strings.ReplaceAll(first, " ", ""))
		switch {
		case !found || !strings.ContainsFunc(after, unicode.IsLetter):
		case country == "" && isCountry(first):
			country, rest = ", "+first, after
			continue
		case code == "" && isCode:
			code, rest = " "+first, after
			continue
		case state == "" && e.isState(first) && (!e.endsInState(after) || strings.Contains(after, ",") && endsInStreet(after)):
			state, rest = ", "+first, after
			continue
		case state == "" && code == "":
			if s, c, ok := e.stateAndCode(first); ok {
				if code, rest = " "+c, after; !strings.EqualFold(s, strings.TrimSpace(after[strings.LastIndexByte(after, ',')+1:])) {
					state = ", " + s
				}
				continue
			}
		}
		break
	}
	if first, after, _ := strings.Cut(rest, " "); country == "" && strings.EqualFold(first, "USA") {
		country, rest = ", "+first, after
	}
	rest = e.cityLast(rest, state+code != "")
	if rest == text {
		return text
	}
	return strings.TrimSpace(rest) + state + code + country
}

// stateAndCode divides a state and a code in either order: OK 74839, M5V 2T6 ON.
func (e *Engine) stateAndCode(text string) (state, code string, ok bool) {
	words := strings.Fields(text)
	for i := 1; i < len(words); i++ {
		first, last := words[:i], words[i:]
		for range 2 {
			state, code = strings.Join(first, " "), strings.Join(last, " ")
			if ok = e.isCode(code) && e.isState(state); ok {
				return state, code, true
			}
			first, last = last, first
		}
	}
	return "", "", false
}

// cityLast puts a city with its state, or a city whose state is known, behind the street that
// follows it.
func (e *Engine) cityLast(text string, known bool) string {
	for i := range len(text) {
		city, street := strings.TrimSpace(text[:i]), strings.TrimLeft(text[i:], ", #")
		if text[i] != ',' || city == "" || street == "" || !pub28.AllDigits(street[:1]) && (!isUnnumbered(street) || isUnnumbered(city)) {
			continue
		}
		if part, _, more := strings.Cut(street, ","); more && len(part) >= 5 && strings.Trim(part, " 0123456789-") == "" {
			continue // a code, which belongs to the city
		}
		_, name, _ := strings.Cut(street, " ")
		if pub28.AllDigits(city[:1]) || !strings.ContainsFunc(name, unicode.IsLetter) || isCountry(name) ||
			!known && !e.endsInState(city) || e.endsInState(street) && !endsInStreet(street) {
			break
		}
		return strings.TrimSpace(text[i+1:]) + ", " + city
	}
	return text
}

// isUnnumbered reports whether a text is a street without a number, or two that cross: MARKET ST,
// A AVE & B ST.
func isUnnumbered(text string) bool {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) < 2 || strings.Contains(text, ",") {
		return false
	}
	suffix, _ := pub28.Suffix(words[len(words)-1])
	return seldomInCities(suffix) || slices.Contains(words[1:], "&") || crossingStart().MatchString(text)
}

// endsInStreet reports whether the last part of a text is a crossing, or a street with a number,
// whose last word, a direction or suffix, looks like a state: 10 West Wind Ct.
func endsInStreet(text string) bool {
	words := strings.Fields(text[strings.LastIndexByte(text, ',')+1:])
	if len(words) < 3 || !pub28.AllDigits(words[0][:1]) && !slices.Contains(words, "&") {
		return false
	}
	last := strings.ToUpper(words[len(words)-1])
	_, suffix := pub28.Suffix(last)
	_, direction := pub28.Directional(last)
	return suffix || direction
}

// A turn is a text in the order of mail with the city and state that it was turned by.
type turn struct {
	text, city, state string
}

// turned puts a place of the dataset behind the street and before the state: from a city and
// a street with the state before, between or behind them. Parts are whole between commas, so
// that the text has two or three of them. Other texts have no turn.
func (q *query) turned(text string) (t turn, err error) {
	if len(text) > utf8.UTFMax*address.MaxRaw { // longer ones are refused
		return t, nil
	}
	parts := strings.SplitN(text, ",", 4)
	if len(parts) > 3 {
		return t, nil
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	var orders [][3]int // positions of the city, street and state
	switch len(parts) {
	case 2:
		orders = [][3]int{{0, 1, -1}}
	case 3:
		orders = [][3]int{{0, 2, 1}, {0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}
	}
	for _, o := range orders {
		city, street := parts[o[0]], parts[o[1]]
		state, beside := "", false
		if o[2] >= 0 {
			name := address.Clean(parts[o[2]])
			if state = cmp.Or(pub28.State(name), pub28.Province(name)); state == "" {
				continue
			}
			beside = o[0]+o[2] != 2 // city and state, so that the third part is the street
		}
		if words := strings.Fields(street); len(words) < 2 || isCountry(street) || q.isState(street) ||
			!beside && !pub28.AllDigits(words[0][:1]) && !isUnnumbered(street) {
			continue
		}
		id, known := q.stateOf(state)
		if known != (state != "") {
			continue
		}
		list, err := q.addresses.Places(q.ctx, id, address.Clean(city), nil)
		if err != nil {
			return t, err
		}
		if len(list) > 0 {
			t = turn{text: street + ", " + city, city: city, state: state}
			if state != "" {
				t.text += ", " + state
			}
			return t, nil
		}
	}
	return t, nil
}

func isCountry(name string) bool {
	switch strings.ToUpper(strings.ReplaceAll(name, ".", "")) {
	case "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA", "CANADA":
		return true
	default:
		return false
	}
}

// isCode reports whether a text is a code of the dataset, or such a ZIP Code with its add-on.
func (e *Engine) isCode(text string) bool {
	if zip, more, _ := strings.Cut(text, "-"); len(more) == 4 && pub28.AllDigits(more) {
		text = zip
	}
	_, ok := e.codeOf(strings.ToUpper(text))
	return ok
}

func (e *Engine) isState(name string) bool {
	return e.states[" "+strings.ToUpper(name)] || e.states[townKey("", name)]
}

// abroad has the keys of countries that texts name, also of those that share their name with
// a town. Georgia and New Mexico are states.
var abroad = func() map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Split("Afghanistan,Albania,Algeria,Andorra,Angola,Argentina,Armenia,Australia,Austria,Azerbaijan,"+
		"Bahamas,Bahrain,Bangladesh,Barbados,Belarus,Belgium,Belgique,Belize,Bermuda,Bolivia,Bosnia,Botswana,Brazil,Brasil,Bulgaria,Cambodia,"+
		"Cameroon,Chile,China,Colombia,Costa Rica,Croatia,Cuba,Cyprus,Czech Republic,Czechia,Denmark,Danmark,Dominican Republic,Ecuador,Egypt,"+
		"El Salvador,England,Espana,Estonia,Ethiopia,Fiji,Finland,France,Germany,Deutschland,Ghana,Great Britain,Greece,Guatemala,Guyana,Haiti,"+
		"Honduras,Hong Kong,Hungary,Iceland,India,Indonesia,Iran,Iraq,Ireland,Israel,Italy,Italia,Jamaica,Japan,Jordan,Kazakhstan,Kenya,Korea,"+
		"Kuwait,Laos,Latvia,Lebanon,Liberia,Libya,Liechtenstein,Lithuania,Luxembourg,Madagascar,Malaysia,Malta,Mexico,Moldova,Monaco,Mongolia,"+
		"Montenegro,Morocco,Mozambique,Myanmar,Namibia,Nepal,Netherlands,Nederland,New Zealand,Nicaragua,Nigeria,Northern Ireland,Norway,Norge,"+
		"Oman,Osterreich,Pakistan,Panama,Paraguay,Peru,Philippines,Poland,Polska,Portugal,Qatar,Romania,Russia,Rwanda,Saudi Arabia,Scotland,"+
		"Senegal,Serbia,Singapore,Slovakia,Slovenia,Somalia,South Africa,South Korea,Spain,Sri Lanka,Sudan,Suisse,Sverige,Sweden,Switzerland,"+
		"Schweiz,Syria,Taiwan,Tanzania,Thailand,The Netherlands,Trinidad and Tobago,Tunisia,Turkey,UAE,Uganda,UK,Ukraine,United Arab Emirates,"+
		"United Kingdom,Uruguay,Uzbekistan,Venezuela,Vietnam,Wales,Yemen,Zambia,Zimbabwe", ",") {
		m[townKey("", name)] = true
	}
	return m
}()

// endsAbroad reports whether the last part of a text is another country behind a city:
// London, England. Behind nothing but a street it is a town: 12 Main St, Lebanon. Texts with
// a state or code are not tested: Peru, IN is a city.
func endsAbroad(text string, street bool) bool {
	i := strings.LastIndexByte(text, ',')
	return i > 0 && (!street || strings.IndexByte(text, ',') < i) && abroad[townKey("", strings.Trim(text[i+1:], " ."))]
}

// cutLast returns what is before the last occurrence of a text in small or capital letters.
func cutLast(text, sep string) (before string, found bool) {
	for i := len(text) - len(sep); i >= 0; i-- {
		if strings.EqualFold(text[i:i+len(sep)], sep) {
			return text[:i], true
		}
	}
	return text, false
}

// endingCode is a forward sortation area or postal code at the end of a text.
var endingCode = regexp.MustCompile(`(?i)\b[a-z]\d[a-z]( ?\d[a-z]\d)?\s*$`)

// endsInState reports whether the last part of a text, or the end of it, is a state before
// a code or country.
func (e *Engine) endsInState(text string) bool {
	parts := strings.Split(text, ",")
	for i := len(parts) - 1; i >= 0; i-- {
		words := strings.Fields(strings.TrimRight(endingCode.ReplaceAllString(parts[i], ""), " 0123456789-"))
		if len(words) == 0 || isCountry(strings.Join(words, " ")) {
			continue
		}
		return e.isState(words[len(words)-1]) || e.isState(strings.Join(words, " "))
	}
	return false
}

// gridNumber joins the parts of a number of a grid: W349 N5293, W 349 N 5293.
func gridNumber(text string) (number, rest string) {
	rest = text
	for range 2 {
		if rest == "" || strings.IndexByte("NSEWnsew", rest[0]) < 0 {
			return "", ""
		}
		digits, after := pub28.LeadingDigits(strings.TrimLeft(rest[1:], " "))
		if digits == "" {
			return "", ""
		}
		number += rest[:1] + digits
		text, rest = after, strings.TrimLeft(after, " -")
	}
	if text == "" || text[0] != ' ' {
		return "", ""
	}
	return number, text
}

// firstNumber returns the first end of a range with letters: 14A of 14A-16B.
func firstNumber(number string) string {
	if low, _, ok := strings.Cut(number, "-"); ok && low != "" && pub28.AllDigits(low[:1]) && !pub28.AllDigits(low[len(low)-1:]) {
		return low
	}
	return number
}

// possessive returns a name with the apostrophes that were typed as blanks: LAMEYS
// MILL of LAMEY S MILL.
func possessive(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(name+" ", " S ", "S "), " ")
}
