package radius

// Parts that tests check by themselves.
