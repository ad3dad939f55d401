package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// An example is a command line that the help of its command shows, and what it
// is for.
type example struct{ line, what string }

// examples are those of every command.
var examples = map[string][]example{
	"lookup": {
		{"postgeo lookup 90210", "everything about a ZIP Code"},
		{"postgeo lookup 90210 10001 K1A 0B1 --quick -f csv", "city, state and point of several codes"},
		{"postgeo lookup 34.09,-118.41 -i census,cd", "the code, tract and district around a point"},
		{"postgeo lookup - --quick -f csv < codes.txt", "codes in a file, one a line"},
	},
	"suggest": {
		{"postgeo suggest san francisco", "everything of that name"},
		{"postgeo suggest bev -i place,county -n 5", "places and counties that begin so"},
	},
	"address": {
		{"postgeo address 350 5th Ave New York NY 10118", "its ZIP+4 and standard form"},
		{`postgeo address --parse "350 5th Ave Apt 4, New York NY"`, "its parts, without a dataset"},
		{"postgeo address --csv customers.csv --column street,city,zip -i coordinates", "the rows of a table"},
	},
	"distance": {
		{"postgeo distance 90210 10001", "miles, kilometres and bearing"},
		{"postgeo distance 34.1,-118.4 90210 60601", "from a point to each of the others"},
		{"postgeo distance --matrix 90210 10001 60601", "from each to each"},
		{"postgeo distance --within 25 - < codes.txt", "the pairs that are at most 25 miles apart"},
	},
	"radius": {
		{"postgeo radius 90210 --max 5", "codes whose points are within 5 miles"},
		{"postgeo radius 90210 --max 5 --mode spatial", "codes whose areas are, with the share inside"},
		{"postgeo radius 34.1 -118.4 --max auto -f geojson", "as far as 250,000 people live, for a map"},
	},
	"nearest": {
		{"postgeo nearest 34.1,-118.4 -n 5", "the five nearest codes"},
	},
	"inside": {
		{"postgeo inside area.geojson", "codes with the share of each inside"},
		{"postgeo inside - --mode centroid -f csv < area.geojson", "codes whose points are inside"},
	},
	"codes-in": {
		{"postgeo codes-in county 06037", "the ZIP Codes of Los Angeles County"},
		{"postgeo codes-in cd 0604 -f csv", "those of a congressional district"},
	},
	"neighbors": {
		{"postgeo neighbors 90210", "the codes that touch it, and along how many miles"},
	},
	"crosswalk": {
		{"postgeo crosswalk zip county -f csv", "each ZIP Code with its counties, the largest part first"},
		{"postgeo crosswalk cd zip --state CA --population", "each district with its ZIP Codes, by residents"},
	},
	"boundary": {
		{"postgeo boundary 90210 K1A > codes.geojson", "areas of codes"},
		{"postgeo boundary county 06037 -o county.geojson", "the outline of a county"},
	},
	"map": {
		{"postgeo map 90210 -o map.svg", "a code among its neighbours"},
	},
	"acs fields": {
		{"postgeo acs fields --search income", "fields about income"},
	},
	"acs profile": {
		{"postgeo acs profile 90210 --profile economic", "with margins of error"},
	},
	"acs series": {
		{"postgeo acs series 90210 10001 --field economic.income.median_household_income --dollars newest", "in dollars of one year"},
	},
	"acs aggregate": {
		{"postgeo acs aggregate --codes 90210,90211 --field demographic.sex_and_age.total_population", "two ZIP Codes together"},
		{"postgeo acs aggregate --around 90210 --radius 5 --field economic.income.median_household_income", "a circle of 5 miles"},
	},
	"acs compare": {
		{"postgeo acs compare 90210 10001 --field economic.income.median_household_income", "whether two areas differ"},
	},
	"enrich": {
		{"postgeo enrich customers.csv --add state,county_fips,location.lat,location.lon -o out.csv", "columns by the codes of a table"},
		{"postgeo enrich customers.csv --add census.tract.geoid -o out.parquet --resume", "go on after a run that was killed"},
		{"postgeo enrich --list-fields income", "what can be added"},
	},
	"export codes":     {{"postgeo export codes -o codes.parquet", "every code"}},
	"export crosswalk": {{"postgeo export crosswalk --layer county,tract -o overlaps.csv", "every pair of codes and areas"}},
	"export acs":       {{"postgeo export acs --year 2024 --moe -o acs2024.parquet", "a year of the survey, with margins"}},
	"export areas":     {{"postgeo export areas zip county -o areas.geojson", "outlines of ZIP Codes and counties"}},
	"serve": {
		{"postgeo serve", "on this machine alone, without keys"},
		{"postgeo serve --listen 0.0.0.0:8080 --accounts accounts.db", "for callers with keys"},
		{"postgeo serve --config /etc/postgeo/postgeo.json", "as a service"},
	},
	"config check": {{"postgeo config check --config /etc/postgeo/postgeo.json", "before the server is restarted"}},
	"config show":  {{"postgeo config show", "every setting and where it comes from"}},
	"dataset build": {
		{"postgeo dataset build --layers all", "the national dataset, into the user's data folder"},
		{"postgeo dataset build --layers boundaries,census --acs tables/ -o new.db", "some of it, with tables of the survey"},
		{"postgeo dataset build --mirror /mnt/mirror --offline -o new.db", "from files at hand"},
	},
	"dataset info":   {{"postgeo dataset info", "what is used now"}, {"postgeo dataset info new.db", "what a file holds"}},
	"dataset verify": {{"postgeo dataset verify new.db", "before it is put in use"}},
	"dataset doctor": {{"postgeo dataset doctor --limit 5", "the five weaknesses that affect most people"}},
	"dataset diff":   {{"postgeo dataset diff old.db new.db", "what a new version changes"}},
	"version":        {{"postgeo version", "with the commit and the platform"}},
	"completion": {
		{"source <(postgeo completion bash)", "in ~/.bashrc"},
		{"postgeo completion fish | source", "in ~/.config/fish/config.fish"},
	},
	"account create":  {{`postgeo account create --plan free --name "Example & Co."`, ""}},
	"account list":    {{"postgeo account list", ""}},
	"account show":    {{"postgeo account show acct_0123456789abcdef", ""}},
	"account suspend": {{"postgeo account suspend acct_0123456789abcdef", ""}},
	"account resume":  {{"postgeo account resume acct_0123456789abcdef", ""}},
	"account plan":    {{"postgeo account plan acct_0123456789abcdef business", ""}},
	"key create": {
		{"postgeo key create --account acct_0123456789abcdef --name web --origin https://app.example.com", "for pages of one site"},
		{"postgeo key create --account acct_0123456789abcdef --ip 192.0.2.0/24 --expires 90d", "for one network"},
	},
	"key list":        {{"postgeo key list acct_0123456789abcdef", ""}},
	"key show":        {{"postgeo key show key_0123456789ab", ""}},
	"key rotate":      {{"postgeo key rotate key_0123456789ab --grace 48h", "the old key stays valid for two days"}},
	"key deactivate":  {{"postgeo key deactivate key_0123456789ab", ""}},
	"key activate":    {{"postgeo key activate key_0123456789ab", ""}},
	"key allow":       {{"postgeo key allow key_0123456789ab --ip 192.0.2.7", "from there only"}, {"postgeo key allow key_0123456789ab", "from everywhere again"}},
	"credits grant":   {{"postgeo credits grant acct_0123456789abcdef --source pack --amount 25000 --reference invoice-17", ""}},
	"credits balance": {{"postgeo credits balance acct_0123456789abcdef", ""}},
	"credits history": {{"postgeo credits history acct_0123456789abcdef --since 7d", ""}},
	"credits refunds": {{"postgeo credits refunds --since 7d", "which accounts were refunded for answers that were cut off"}},
	"credits audit":   {{"postgeo credits audit", ""}},
}

// addExamples puts the examples behind what the help says of commands.
func addExamples(root *kong.Node) {
	for _, leaf := range root.Leaves(true) {
		var b strings.Builder
		for _, e := range examples[commandName(leaf)] {
			if e.what != "" {
				b.WriteString("    # " + e.what + "\n")
			}
			b.WriteString("    " + e.line + "\n")
		}
		if b.Len() > 0 {
			leaf.Detail = strings.TrimLeft(leaf.Detail+"\n\nExamples:\n\n"+b.String(), "\n")
		}
	}
}

// commandName is the path of a command without the program's and without
// aliases.
func commandName(node *kong.Node) string {
	if node.Parent == nil || node.Parent.Parent == nil {
		return node.Name
	}
	return commandName(node.Parent) + " " + node.Name
}
