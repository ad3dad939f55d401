package main

func Example() {
	main()
	// Output:
	// Beverly Hills CA Los Angeles County 34.094589,-118.411155
	// 90210 Beverly Hills 0
	// 90209 Beverly Hills 1.57
	// 90213 Beverly Hills 1.57
	// 90069 West Hollywood 1.87
}
