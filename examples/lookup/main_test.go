package main

func Example() {
	main()
	// Output:
	// 90210 is in Beverly Hills, CA (Los Angeles County), at 34.1,-118.415
	// Ottawa is 2373 miles away, at a bearing of 58 degrees
	// lookup: ZIP code "99999" not found true
}
