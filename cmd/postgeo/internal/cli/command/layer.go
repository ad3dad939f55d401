package command

import (
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset"
)

// ParseLayer reads the name of a layer.
func ParseLayer(name string) (postgeo.LayerID, error) {
	if id, ok := postgeo.ParseLayer(name); ok {
		return id, nil
	}
	names := make([]string, 0, len(dataset.LayerIDs()))
	for _, id := range dataset.LayerIDs() {
		names = append(names, id.String())
	}
	if near := NearName(strings.ToLower(name), names); near != "" {
		return 0, Usage(message.UnknownLayerNear, name, near)
	}
	return 0, Usage(message.UnknownLayer, name, strings.Join(names, ", "))
}

// JoinText joins two texts unless one is empty.
func JoinText(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}
