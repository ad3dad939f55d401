package main

func Example() {
	main()
	// Output:
	// Beverly Hills CA Los Angeles County 34.1,-118.415
	// 90210 Beverly Hills 0 100
	// 90069 West Hollywood 2.18 86.2
	// true postgeo: lookup: ZIP code "99999" not found
}
