package lookup

// localeName returns the name that the National Center for Education Statistics
// gives an urban-centric locale, or "" for an unknown code.
func localeName(code string) string {
	switch code {
	case "11":
		return "City, large"
	case "12":
		return "City, midsize"
	case "13":
		return "City, small"
	case "21":
		return "Suburb, large"
	case "22":
		return "Suburb, midsize"
	case "23":
		return "Suburb, small"
	case "31":
		return "Town, fringe"
	case "32":
		return "Town, distant"
	case "33":
		return "Town, remote"
	case "41":
		return "Rural, fringe"
	case "42":
		return "Rural, distant"
	case "43":
		return "Rural, remote"
	default:
		return ""
	}
}
