package radius

// Parts that tests check by themselves.

var ParseMode = parseMode
