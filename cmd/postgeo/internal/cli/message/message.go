// Package message is the table of the messages that the command line prints on
// standard error: errors, hints and notices. The messages of the contract are in
// package envelope, those of the libraries in their packages.
//
// An error names the wrong thing first, then the constraint, then the remedy.
package message

// The command line.
const (
	UnknownCommand     = `unknown command %q`
	UnknownCommandNear = `unknown command %q; did you mean '%s'?`
	UnknownCommandOf   = `unknown command %q; '%s' has %s`
	MissingCommand     = `missing command; '%s' has %s`
	MissingArgument    = `missing argument %s`
	NoArguments        = `unexpected argument %q: '%s' has no arguments`
	SurplusArgument    = `unexpected argument %q: '%s' takes only %s; quote text that contains spaces`
	InvalidValue       = `invalid %s %q: must be %s`
	UnknownColumn      = `unknown column %q in --columns; available: %s`
	ColumnsOfJSON      = `--columns needs the format csv, tsv, table or markdown; %s has whole items`
	UnknownColumnNear  = `unknown column %q in --columns; similar: %s; '--format csv' without --columns has all`
	UnknownColumnMany  = `unknown column %q in --columns; '--format csv' without --columns has all %d`
	UnknownInclude     = `unknown enrichment %q in --include; available: %s`
	UnknownIncludeNear = `unknown enrichment %q in --include; did you mean %s?`
	SeeHelp            = `; see '%s --help'`
)

// Values of flags, after "must be".
const (
	ADuration    = `a duration such as 30s or 24h`
	DayOrTime    = `a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`
	Moment       = `a duration (36h, 90d), a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`
	InTheFuture  = `in the future`
	Place        = `latitude,longitude, a ZIP, an FSA, a state or a province of this dataset`
	AProfile     = `demographic, social, economic or housing`
	AKind        = `count, median, mean, rate, ratio or percent_only`
	OneOf        = `one of %s`
	YearSpan     = `a year from %d on, or a span such as 2011-2024`
	TableFormat  = `csv, tsv, ndjson, parquet or xlsx`
	TextEncoding = `utf-8, utf-16le, utf-16be or windows-1252`
	ExportFormat = `csv, tsv, ndjson, parquet or xlsx; areas also have geojson`
	Delimiter    = `one character such as ';' or '|', or tab`
	EpochSeconds = `seconds from 1970-01-01 to 9999-12-31, or unset`
)

// All commands.
const (
	Hint              = `hint: %s`
	Note              = `note: %s`
	NoteOf            = `note: %s: %s`
	ManyFailures      = `%d inputs failed, the first %d are listed above`
	Interrupted       = `stopped: interrupted before the end`
	LongLine          = `a line is longer than %d bytes; write one input per line`
	ReadInput         = `read standard input: %w`
	ReadFile          = `read %s: %w`
	WriteFile         = `write %s: %w`
	InFile            = `%s: %w`
	NoFile            = `%s does not exist; check its name and folder`
	FileTaken         = `%s already exists; choose another file`
	FileForbidden     = `%s: permission denied; change its permissions or choose another file`
	FileIsFolder      = `%s is a folder; name a file`
	FileInFile        = `%s does not exist; a part of its path is a file, not a folder`
	WrongEnding       = `the name of %[1]s is not that of a file of %[2]s; name a .%[2]s file`
	OutputWithoutName = `-o is empty; name a file, or use - for standard output`
	OutputIsDevice    = `-o %s is a device or a pipe; name a file, or redirect standard output (-o -)`
	OutputIsStdout    = `-o %s is standard output; use -o -`
	OutputIsInput     = `-o %s is an input; write to another file`
	StdoutIsInput     = `standard output is the input %s; redirect it to another file`
	LenientRow        = ` (--lenient keeps such rows)`
	SVGOfSeveral      = `--svg draws one center`
	SVGToStdout       = `--svg has no file; standard output is used for the results`
)

// The dataset of a command.
const (
	TheSample     = `the embedded sample`
	UsingSample   = `using the embedded sample (real codes, invented figures); run 'postgeo dataset build' to get real data`
	SampleIsSmall = `the sample has few codes and addresses; run 'postgeo dataset build' for all of them`
	NoAreas       = `dataset: %s has no areas of ZIP Codes or FSAs, required for %s; run 'postgeo dataset build --layers boundaries'`
	BuildRecords  = ` Build one with 'postgeo dataset build' and the USPS products (--usps-zip4, --usps-city-state), public ranges of house numbers (--address-ranges, --addrfeat), or, for geocoding, --streets or --address-points.`
	BuildAreas    = `build a dataset with areas: 'postgeo dataset build --layers boundaries'`
	NoSurvey      = `%s has no tables of the American Community Survey; add them with 'postgeo dataset build --acs PATH'`
)

// Hints for codes and addresses.
const (
	NoCodeOrPoint    = `the code is not in this dataset, or has no location`
	AddressIsCode    = `this is a code: 'postgeo lookup%s'`
	CodeIsTable      = `to look up every row of a table, run 'postgeo enrich%s --add city,state'`
	CodeIsFile       = `to read codes from a file, one per line, run 'postgeo lookup - <%s'`
	ShortZIP         = `a ZIP Code has 5 digits, leading zeros included; did you mean %05s? (spreadsheets drop them)`
	ShortZIP4        = `a ZIP+4 Code has 5 and 4 digits, leading zeros included; did you mean %05s-%s? (spreadsheets drop them)`
	CodeIsArea       = `%d digits are the code of a census area: 'postgeo codes-in %s %s'`
	LettersForDigits = `did you mean %s? (the digits 0 and 1, not the letters O, I and L)`
	DecimalCommas    = `latitude comes first, and numbers have decimal points; did you mean %[1]s,%[2]s, or a coordinate with %[2]s.%[1]s?`
	LatitudeFirst    = `latitude comes first; did you mean %s,%s?`
	SeveralCodes     = `pass several codes as separate arguments or one per line on standard input; for rows of a table, use 'postgeo enrich'`
	CodeIsAddress    = `to match an address, run 'postgeo address%s'`
	CodeIsName       = `to search by name, run 'postgeo suggest%s'`
)

// LookupBatch, searches and addresses.
const (
	NoAddress          = `missing address; pass it in quotes, or use - for standard input, or --csv FILE --column NAME`
	CSVAndAddresses    = `--csv and addresses exclude each other`
	Candidates         = `--candidates and --parse exclude each other`
	FieldsAndAddresses = `--street, --unit, --city, --state, --zip and --country exclude addresses and --csv`
	CSVAndColumn       = `--csv and --column must be used together`
	InColumn           = `--column: %s`
	OneDistance        = `a distance needs two codes; add a second one`
	InvalidList        = `%s; must be %s`
	NothingInside      = `not found: no code is inside the polygon`
	SwappedPolygon     = `the coordinates of the polygon seem to be swapped; GeoJSON has the longitude first: [-118.4, 34.1]`
	NoMatches          = `no match for %q`
	RankOfMatch        = `%s, %s%s: %.1f = %.1f doublings of residents %+.1f (%s) %+.1f (near)`
	Explanation        = "%s:\n%s"
	AutoRadius         = `note: %s: the automatic radius is %v miles`
	RadiusSurvey       = `note: %s: %s: %d of %d US ZIP Codes have figures; --format json or geojson writes the sums`
	NoNeighbors        = `not found: %s has no area in this dataset, and so no neighbors; to find near codes, run 'postgeo nearest %s -n 5'`
	NothingToDraw      = `%s has neither an area nor a point in this dataset`
)

// Areas and layers.
const (
	UnknownLayer     = `unknown layer %q; available: %s`
	UnknownLayerNear = `unknown layer %q; did you mean %s?`
	AreaWithoutCode  = `missing code of an area: %q is a layer, such as in county 06037; to find codes by name, run 'postgeo suggest'`
	CodeWithoutLayer = `missing layer of %q: 'postgeo codes-in %s%s'`
	LayerWithoutArea = `missing areas of %s: 'postgeo boundary county 06037'`
	LeadingZeros     = `did you mean %s? Leading zeros are part of the code`
	DidYouMean       = `did you mean %s?`
	NamedAreaCodes   = `IDs in this layer look like %s; find them with 'postgeo lookup --include %s'`
	AreaCodes        = `IDs in this layer look like %s; find them with 'postgeo suggest' or 'postgeo lookup --include census,cd,state_leg,school_district'`
	AreaFound        = `%s %s: %s`
	PlaceFound       = `%q is %s at %s`
)

// GeoJSON files.
const (
	LargeGeoJSON      = `%s has more than %d MiB; simplify its outlines`
	NotGeoJSON        = `not valid GeoJSON: %w`
	ManyFeatures      = `the collection has %d features; must have one polygon`
	NoGeometry        = `missing geometry; must be a polygon or multipolygon`
	NotCollection     = `not a GeoJSON feature collection: %w`
	NotCollectionType = `not a GeoJSON feature collection: the type is %q`
	NullFeature       = `feature %d is null; must be a feature with a polygon`
	ManyProperties    = `%d features have properties of %d names, more than %d cells; remove properties`
	InFeature         = `feature %d: %w`
)

// The survey.
const (
	InFlag           = `%s: %s`
	NoFigures        = `not found: %s has no figure of %s in these years`
	NoFiguresOfYear  = `not found: %s has no figure of %d`
	NoFiguresOfYears = `not found: %s has no figure of %d; the dataset has %s`
	NoFields         = `not found: no field matches`
	MissingAreas     = `missing areas; use --codes, or --polygon, or --around with --radius`
	AroundAndRadius  = `--around and --radius must be used together`
	ManySides        = `%d areas and %d years; a comparison has two sides`
	MixedSides       = `two areas and two years; compare two areas in one year, or one area in two years`
	MissingSide      = `missing second area; for two years of %s, repeat --year`
	TwoDollars       = `%s of two years is in different dollars; use --dollars YEAR or --dollars newest`
	AreasCovered     = `note: %s, %d: %d of %d areas have figures%s`
	PeopleCovered    = `, with %s %% of the people`
)

// Tables.
const (
	KeysFound        = `using %s`
	KeyFound         = `%[2]s as the %[1]s`
	KeysUsed         = `keys: %s`
	NoSheet          = `invalid --sheet %q: %s`
	ColumnsTaken     = `the table has %s already; name the new columns: %s`
	InputRead        = `reading %s`
	CodesRepaired    = `%d codes that a spreadsheet had changed were repaired; their reason is CODE_REPAIRED, CODE_ROUNDED or ZEROS_RESTORED`
	RowsDone         = `%d rows in %v%s`
	LostZeros        = `%d codes seem to have lost leading zeros; without --restore-zeros=false 501 is read as 00501`
	OtherKeys        = `some rows have no %s but have %s in %s; to use these for them, name both keys: --key %s --key %s`
	UnusedFlag       = `note: %s is set but no field of %s is added; list them with --list-fields %[2]s`
	BinaryTerminal   = `%s is not written to a terminal; name a file with -o, or another format with --to`
	SearchFields     = `%s; to search, run 'postgeo enrich --list-fields --word WORD'`
	PlacesTable      = `--nearest-from %s: %w`
	PlacesReason     = `--nearest-from %s: %s`
	KeyWithoutPlaces = `--nearest-key requires --nearest-from`
	Unplaced         = `%s: %d of %d places have no location and are skipped; the first is row %s`
	OptionReason     = `invalid %s %q: %s`
	FileExists       = `%s already exists; choose another file or use --overwrite`
	RowsWritten      = `%d rows in %s`
	UnknownCount     = `invalid --count %q: must be a column: %s`
	InFileText       = `%s: %s`
	UnplacedZIPs     = `note: %d ZIP Codes are in no area: %s`
	UnplacedCounts   = `note: %s: %d rows of %s have no people or are unknown, such as %s; their sum of %v is in the row without a code`

	NoCounts           = `not found: the table has no column of counts`
	NothingApportioned = `not found: no code or GEOID of the table has people or an outline`
)

// Datasets.
const (
	DescribingSample  = `using the embedded sample`
	MoreFindings      = `%d more findings; see --limit`
	PullNeedsData     = `--pull replaces a dataset file; name it with --data, or run dataset pull first`
	PullAndTrust      = `--pull and --trust, the publisher's public key, require each other`
	ChangedSources    = `%d of %d sources changed; run dataset build again`
	Building          = `building %s: finding the files to read`
	WrongAdded        = `--%s: %s`
	NothingToAdd      = `nothing to add; use --layer, --plan, --streets, --addrfeat or --address-points`
	WrongCounty       = `--streets %q is not a state or county; expected two letters or digits of a state, or five digits of a county`
	MakeDataFolder    = `make the folder of the dataset: %w; choose another file with -o`
	NoOutputFolder    = `the folder %s of the output does not exist; create it or choose another file`
	UnknownBuildLayer = `unknown layer %q in --layers; available: %s`
	NoDataFolder      = `this system has no folder for user data; name the dataset file with -o FILE`
	NoCacheFolder     = `this system has no cache folder; use --cache DIR`
	NoFieldList       = `--acs-fields: %w`
	NoFilesInFolder   = `folder %s has no files of these kinds: %s`
	InvalidEpoch      = `invalid SOURCE_DATE_EPOCH %q: must be %s`
	FetchNeedsCache   = `--acs-fetch requires a folder for downloads; use --cache DIR`
	FetchNeedsKey     = `--acs-fetch requires the environment variable CENSUS_API_KEY; get a key at https://api.census.gov/data/key_signup.html`
	Fetching          = `fetching %s`
	BuildFiles        = `%d files to read, %d local`
	BuildLocal        = `, nothing to download`
	BuildMirror       = `, nothing to download; the mirror lacks %d`
	BuildOffline      = `; the other %d come from the cache, nothing is downloaded`
	BuildDownload     = `; to download: %d files, about %s`
	BuildUnknownSize  = ` and %d of unknown size`
	BuildCached       = `, less the files in the cache`
)

// The server.
const (
	InvalidSetting    = `%sinvalid %s %s: must be %s`
	Secret            = `(secret, %d characters)`
	OpenAndAccounts   = `--open and --accounts exclude each other: the first requires no API keys, the second requires them`
	AccountFlags      = `--accounts-strict, --demo-key, --limits, --pepper-file and --trusted-proxies require --accounts FILE`
	SocketNeedsChoice = `--listen is a socket; set --accounts FILE to require API keys, or --open to allow calls without keys`
	NotAnAddress      = `invalid --listen %q: %v; must be HOST:PORT, such as 127.0.0.1:8080`
	ReachableServer   = `--listen %s is reachable from other machines; set --accounts FILE to require API keys, or --open to allow calls without keys`
	LocalServer       = `neither --open nor --accounts is set: any program on this machine can call the server without an API key`
	SameAddress       = `--listen and --private-listen are both %s; use two addresses, or --private-listen none`
	ShortWriteTimeout = `--write-timeout %s must be longer than --request-timeout %s, or the server cuts off responses`
	SampleReload      = `the embedded sample cannot be reloaded; serve a dataset file with --data`
	Serving           = `serving dataset %s (%s) on http://%s; %s`
	ServingPrivate    = `/live, /ready, /metrics and /reload on http://%s`
	ServerStopped     = `stopped; all requests were answered`
	OpenServer        = `open: no API keys required`
	ServerWithKeys    = `API keys required, accounts in %s, requests counted in %s`
	ConfigIsValid     = `the configuration is valid`
	LimitsDown        = `limits: %w`

	PortInUse     = `%s %s: the port is in use; stop that program ('lsof -i :%s' or 'ss -ltnp' shows it), or choose another address`
	PortForbidden = `%s %s: permission denied; choose a port from 1024 up, or a socket of the service manager (%s %s)`
	CannotListen  = `%s: %w; choose another address`
	InSocket      = `%s %s: %w`
	NotNotified   = `the service manager was not notified: %v`
	NoSocket      = `no socket was passed to this process (LISTEN_FDS, LISTEN_PID); start it with a socket unit, or use HOST:PORT`
	NoNamedSocket = `no socket with this FileDescriptorName was passed; %d have the names %q`
	SameSocket    = `--listen %s and --private-listen %s are the same socket; use another FileDescriptorName, or --private-listen none`
	UnusedSockets = `%d sockets were passed to this process but %d are used; callers of the others get no response: set --listen and --private-listen`
	NotASocket    = `not a listening socket: %w`
	NotATCPSocket = `the socket is of type %s; must be TCP (ListenStream=HOST:PORT)`
)

// The configuration of the server.
const (
	NoConfig       = `configuration %s not found; write one such as %s, with the names of the flags of 'postgeo serve', or use another with --config`
	ConfigFile     = `configuration: %w`
	LargeConfig    = `%s has more than %d bytes; must be a JSON object with the names of flags`
	ConfigLine     = `%s:%w`
	NotAnObject    = `%d: must be a JSON object with the names of flags, such as %s`
	AtLine         = `%d: %s`
	NotJSON        = `invalid JSON at byte %d (%s); must be a JSON object with the names of flags`
	UnknownSetting = `unknown setting %q; %s`
	SettingType    = `%s must be a string, a number, a Boolean or a list of strings: %s`
	SettingTwice   = `%s is set twice, first on line %d`
	AfterObject    = `unexpected text after the JSON object`
	SettingNear    = `did you mean %q?`
	SettingsListed = `available: %s`
)

// Accounts, keys and credits.
const (
	NoAccountsPath = `missing accounts; use --accounts FILE or POSTGEO_ACCOUNTS`
	AccountsScheme = `invalid --accounts %s://…: must be a file or postgres://…`
	NoAccounts     = `no accounts in %s; create the first with 'postgeo account create', or use others with --accounts`
	NoAccountsInDB = `no accounts in this database: %w; create the first with 'postgeo account create'`
	Accounts       = `accounts: %w`
	InvalidPepper  = `POSTGEO_PEPPER: %w`
	MissingPepper  = `pepper of the accounts in %s: %w; use the original one with --pepper-file or POSTGEO_PEPPER, API keys cannot be checked without it`
	CreatePepper   = `pepper: %w`
	PepperCreated  = `created %s, the pepper for hashing API keys; protect it like the accounts, and store it separately from their backups`
	PepperForDB    = `accounts in PostgreSQL require a pepper that all processes share; use --pepper-file or POSTGEO_PEPPER, 32 random bytes`
	TwoAccounts    = `two accounts, %s and %s; use one`
	MissingAccount = `missing flag --account=ID; 'postgeo account list' shows the IDs`
	SeeAccounts    = `; 'postgeo account list' shows the IDs`
	TwoPlans       = `two plans, %s and %s; use one`
	MonthlyCredits = `invalid --monthly-credits %d: must be from 0 to %d, and 0 for the plan %s without a subscription`
	GrantWhenPaid  = `grant the credits of a subscription after payment: 'postgeo credits grant --account %s --source subscription'`
	KeyNotID       = `this is an API key; use its ID (key_…), 'postgeo key list' shows the IDs`
	KeyShownOnce   = `the key cannot be shown again`
	InvalidSource  = `invalid --source %q: must be pack or subscription (free credits are granted every day)`
	InvalidAmount  = `invalid --amount %d: must be from 1 to %d`
	AlreadyGranted = `nothing granted: account %s already has the grant %q from %s; use another --reference for a new grant`
)
