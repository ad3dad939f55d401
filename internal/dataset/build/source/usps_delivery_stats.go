package source

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// ZIPDeliveryPoints are the delivery points of a ZIP Code.
type ZIPDeliveryPoints struct {
	ZIP dataset.ZIP
	dataset.DeliveryPoints
}

// deliveryStatsLength is the length of the records of the Delivery Statistics
// product in bytes.
const deliveryStatsLength = 309

// The counts of active deliveries: twelve of businesses, twelve of residences,
// one of general delivery, five digits each. The same places among the twelve
// are boxes of a post office: facility, contract and detached box. After the
// non-personnel unit follow caller service, remittance, contest and other box.
const (
	businessStart        = 22
	residenceStart       = 82
	generalDeliveryStart = 142
	countWidth           = 5
	countKinds           = 12
)

var isBox = [countKinds]bool{4: true, 5: true, 6: true, 8: true, 9: true, 10: true, 11: true}

// SumDeliveryStats reads a Delivery Statistics file, 309 bytes a record, and
// adds up the active deliveries of the carrier routes of each ZIP Code. The ZIP
// Codes ascend. rows is the number of detail records that were added, without
// those with the action code D (deleted). One bad record fails the file,
// because sums without it would be wrong.
func SumDeliveryStats(in *format.Input) (points []ZIPDeliveryPoints, rows int64, err error) {
	sums := map[dataset.ZIP]*dataset.DeliveryPoints{}
	for b, err := range uspsDetails(in, deliveryStatsLength, 'D', "") {
		if err != nil {
			return nil, rows, err
		}
		zip, err := uspsZIP(b)
		if err != nil {
			return nil, rows, err
		}
		action, err := uspsCode(b, "action code", 17, "AD", true)
		if err != nil {
			return nil, rows, err
		}
		if action == 'D' {
			continue
		}
		sum := sums[zip]
		if sum == nil {
			sum = &dataset.DeliveryPoints{}
			sums[zip] = sum
		}
		if err := addRoute(b, sum); err != nil {
			return nil, rows, err
		}
		rows++
	}
	points = make([]ZIPDeliveryPoints, 0, len(sums))
	for zip, sum := range sums {
		points = append(points, ZIPDeliveryPoints{ZIP: zip, DeliveryPoints: *sum})
	}
	slices.SortFunc(points, func(a, b ZIPDeliveryPoints) int { return cmp.Compare(a.ZIP, b.ZIP) })
	return points, rows, nil
}

func addRoute(b format.Block, sum *dataset.DeliveryPoints) error {
	var business, residential, boxes int64
	for i := range countKinds {
		n, err := routeCount(b, businessStart+i*countWidth)
		if err != nil {
			return err
		}
		m, err := routeCount(b, residenceStart+i*countWidth)
		if err != nil {
			return err
		}
		business += n
		residential += m
		if isBox[i] {
			boxes += n + m
		}
	}
	general, err := routeCount(b, generalDeliveryStart)
	if err != nil {
		return err
	}
	total := int64(sum.TotalActive) + business + residential + general
	if total > math.MaxInt32 {
		return b.Errorf("active deliveries", "%d in one ZIP Code, more than can be", total)
	}
	sum.TotalActive = int32(total)
	sum.Business += int32(business)
	sum.Residential += int32(residential)
	sum.POBox += int32(boxes)
	return nil
}

// routeCount reads a number of five digits, filled with zeros or spaces on the
// left; all spaces are 0.
func routeCount(b format.Block, start int) (int64, error) {
	var n int64
	digit := false
	for _, c := range []byte(b.Raw(start, countWidth)) {
		switch {
		case c == ' ' && !digit:
		case c >= '0' && c <= '9':
			digit = true
			n = n*10 + int64(c-'0')
		default:
			return 0, b.Errorf("count", "%q at byte %d, expected five digits", b.Raw(start, countWidth), start)
		}
	}
	return n, nil
}
