package builder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/source"
)

// TestTerms checks the terms of files of the user. They come from the format, the
// user, or a file of metadata.
func TestTerms(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const (
		nad       = "OID_,Add_Number,St_Name,State,Zip_Code,AddAuth,Longitude,Latitude,NAD_Source\n-1,100,Main,OH,43901,x,-83.01,40.01,x\n"
		oa        = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n-83.01,40.02,%s,N MAIN ST,,,,,43901,,\n"
		feature   = `{"type":"Feature","properties":{"hash":"a","number":"12","street":"ELM AVE","unit":"","city":"","district":"","region":"","postcode":"43901","id":""},"geometry":{"type":"Point","coordinates":[-83.03,40.02]}}` + "\n"
		register  = "LOC_GUID,ADDR_GUID,CIVIC_NO,OFFICIAL_STREET_NAME,OFFICIAL_STREET_TYPE,OFFICIAL_STREET_DIR,MAIL_POSTAL_CODE,BG_X,BG_Y\n1,2,7,Pine,AVE,W,K1A0B1,7485000,1250000\n"
		addresses = "latitude,longitude,street_no,street,postal_code,str_name,str_name_pcs,csduid,pruid,provider\n45.401,-75.701,12,Birch Road,,Birch,BIRCH,3506008,35,Ottawa\n"
		agency    = "lon,lat,st_num,housenumber,street,zip\n-83.02,40.02,1,8,Elm Ave,43901\n"
	)
	type terms struct{ License, Attribution, Redistribution string }
	const unstated = "license of each source, not stated in the file"
	for _, tt := range []struct {
		name, text, named, meta string
		want                    terms
	}{
		{"nad.txt", nad, "", "", terms{"public domain", "U.S. Department of Transportation and its partners", dataset.PublicDomain}},
		{"oa.csv", oa, "", "", terms{unstated, "OpenAddresses", "unknown"}},
		{"oa.geojson", feature, "", `{"license": {"text": "CC BY 4.0", "attribution": true, "attribution name": "Birch County"}}`, terms{"CC BY 4.0", "Birch County", dataset.WithAttribution}},
		{"text.geojson", feature, "", `{"license": "ODbL 1.0"}`, terms{"ODbL 1.0", "", dataset.ShareAlike}},
		{"register.csv", register, "", "", terms{
			"Statistics Canada Open Licence", "Adapted from Statistics Canada, National Address Register; this does not constitute an endorsement by Statistics Canada", dataset.WithAttribution,
		}},
		{"oda.csv", addresses, "", "", terms{
			"Open Government Licence – Canada", "Statistics Canada, Open Database of Addresses, contains information licensed under the Open Government Licence – Canada", dataset.WithAttribution,
		}},
		{"city.csv", agency, "", "", terms{unstated, "", "unknown"}},
		{"city.csv", agency, ",attribution=City of Birch, Maps,license=Birch license", "", terms{"Birch license", "City of Birch, Maps", "unknown"}},
		{"city.csv", agency, ",license=CC0,redistribution=restricted", "", terms{"CC0", "", dataset.Restricted}},
		{"city.csv", agency, ",license=CC BY 4.0; ODbL 1.0", "", terms{"CC BY 4.0; ODbL 1.0", "", dataset.ShareAlike}},
		{"nad.txt", nad, ",license=my terms", "", terms{"my terms", "", "unknown"}},
	} {
		w := newWorld(t)
		w.supplied("43901", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
		w.fsa("K1A", "Ottawa", "ON", 45.4, -75.7)
		path := w.file(tt.name, record(strings.ReplaceAll(tt.text, "%s", "7")))
		if tt.meta != "" {
			if err := os.WriteFile(path+".meta", []byte(tt.meta), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b := w.buildWith(builder.Options{AddressPoints: []string{path + tt.named}})
		for _, s := range b.Manifest().Sources {
			if s.ID != "address-points" {
				continue
			}
			if diff := cmp.Diff(tt.want, terms{s.License, s.Attribution, s.Redistribution}); diff != "" {
				t.Errorf("%s%s (-want +got):\n%s", tt.name, tt.named, diff)
			}
		}
	}
	for text, want := range map[string][2]string{
		"us/oh/birch: Birch County, Ohio; public domain.\n": {"public domain", "Birch County, Ohio"},
		"us/oh/birch: CC BY 4.0\n":                          {"CC BY 4.0", ""},
		"us/oh/birch: CC BY 4.0\nus/oh/elm: CC0\n":          {"", ""},
		"no terms": {"", ""},
	} {
		path := zipped(t, "oa.zip", "us/oh/birch.csv", oa, "LICENSE.txt", text)
		if license, attribution := source.PointLicense(path); license != want[0] || attribution != want[1] {
			t.Errorf("%q: license %q of %q, want %q", text, license, attribution, want)
		}
	}
	_, err := builder.Build(t.Context(), builder.Options{Output: filepath.Join(t.TempDir(), "x.db"), Mirror: t.TempDir(), AddressPoints: []string{"x.csv,redistribution=maybe"}})
	if err == nil || !strings.Contains(err.Error(), `x.csv: redistribution "maybe", expected one of public-domain, attribution`) {
		t.Errorf("an unknown condition: %v", err)
	}
}

// TestRedistribution checks that every source of the catalog has conditions, and
// those of one source each.
func TestRedistribution(t *testing.T) {
	want := map[string]string{
		"geonames-us": dataset.WithAttribution, "gazetteer-zcta": dataset.PublicDomain, "timezones": dataset.ShareAlike, "usps-zip4": dataset.Restricted,
		"zip-database": dataset.Restricted, "opcc-correspondence": dataset.WithAttribution, "address-points": "unknown", "address-ranges": "unknown",
		"nad": dataset.PublicDomain, "statcan-streets": dataset.WithAttribution,
	}
	for _, s := range builder.Catalog() {
		if s.Redistribution == "unknown" && !s.UserSupplied {
			t.Errorf("%s under %q: the conditions are unknown", s.ID, s.License)
		}
		if w := want[s.ID]; w != "" && s.Redistribution != w {
			t.Errorf("%s: %q, want %q", s.ID, s.Redistribution, w)
		}
	}
}
