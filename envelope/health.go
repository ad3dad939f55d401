package envelope

// A HealthStatus is the state of the service, checked at every call.
type HealthStatus string

// The states of the service.
const (
	Healthy   HealthStatus = "healthy"   // the database responds within 500 ms
	Degraded  HealthStatus = "degraded"  // the database responds, but later than that
	Unhealthy HealthStatus = "unhealthy" // the database does not respond
)

// A HealthResponse is the response of /v2/health. Success is false if the service
// is unhealthy.
type HealthResponse struct {
	Success bool   `json:"success"` // false for an item that failed
	Data    Health `json:"data"`
	Meta    Meta   `json:"meta"`
}

// A Health is the state of the server.
type Health struct {
	Status               HealthStatus   `json:"status"` // of the whole server
	Database             DatabaseHealth `json:"database"`
	Version              string         `json:"version"`              // [Version]
	CoordObfuscatorReady bool           `json:"coordObfuscatorReady"` // the dataset's spatial index is loaded
}

// A DatabaseHealth is the state of the dataset.
type DatabaseHealth struct {
	Connected bool  `json:"connected"` // whether the dataset responds
	LatencyMS int64 `json:"latencyMs"` // milliseconds, rounded down
}
