package serve

// ParseConfig reads the settings of a configuration.
func ParseConfig(data []byte) (int, []error) {
	values, errs := parseConfig("postgeo.json", data)
	return len(values), errs
}
