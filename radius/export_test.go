package radius

// Parts that tests check by themselves.

var (
	Distance       = distance
	DistanceMatrix = distanceMatrix
	PairsWithin    = pairsWithin
)
