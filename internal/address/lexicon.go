package address

import (
	_ "embed"
	"strings"
)

// towns holds the names of large towns, which mark the end of a street without
// a suffix if no dataset lists the cities. After an empty line it lists towns
// with a direction before them: NORTH belongs to the town in 8004 MAIN ST NORTH
// RICHLAND HILLS. After another empty line it lists Canadian towns.
//
//go:embed towns.txt
var towns string

var knownCities, directionCities, canadaTowns = func() (known, directed, canadian map[string]bool) {
	parts := strings.Split(towns, "\n\n")
	return nameSet(parts[0]), nameSet(parts[1]), nameSet(parts[2])
}()

func nameSet(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.Lines(list) {
		m[strings.TrimSpace(name)] = true
	}
	return m
}

// lexicon holds the classes of words that package pub28 doesn't classify.
var lexicon = func() map[string]class {
	m := map[string]class{}
	for c, list := range map[class]string{
		isHighway:  `HWY,HIGHWAY,HIWAY,ROUTE,RTE,RT,FM,CR,SR,US,INTERSTATE,RR,HC,CH,CTH,RM,SH,IH`,
		isTail:     `BUSINESS,BUS,BSNSS,BYPASS,BYP,ALT,ALTERNATE,TRUCK`,
		isJoin:     `AND,&,@,AT`,
		isKind:     `CALLE,CLL,AVENIDA,PASEO,CARR,VEREDA,CAMINO,CALLEJON`,
		isBuilding: `CTR,CENTER,PLAZA,PLZ,PL,PLACE,SQ,SQUARE,PARK,MALL`,
		isCardinal: `ONE,TWO,THREE,FOUR,FIVE,SIX,SEVEN,EIGHT,NINE,TEN`,
		isPrefix:   `APT,STE,SUITE,UNIT,BOX,POBOX,POB,RR,HC,HCR,HWY,LOT,RM,ROOM,BLDG,SPC,TRLR,PSC,CMR,RTE,FM,DEPT,FL,RT,US,CR,SR,PMB,IH,CO,APARTMENT`,
		isBox:      `BOX,BX,BOXES,DRAWER,DRAWR,DRWR,BIN,LOCKBOX,CALLER,BUZON,BXO,BO`,
		isSaint: `LOUIS,PAUL,JAMES,JOHN,JOHNS,CHARLES,PETER,PETERS,GEORGE,MARY,MARYS,ANNE,ANNS,ANN,ANDREW,ANDREWS,FRANCIS,MICHAEL,MICHAELS,PHILIP,
PATRICK,JOSEPH,LAWRENCE,ALBANS,ASAPH,BERNARD,CLAIR,CLOUD,DAVIDS,DENIS,HELENA,HELENS,LUCIE,MARKS,MARTIN,MARTINS,NICHOLAS,SIMONS,STEPHEN,STEPHENS,THERESA,
THOMAS,VINCENT,CATHERINE,CROIX,AUGUSTINE,BRIDES,REGIS,JOE,CLEMENT,CHRISTOPHER,GABRIEL,ROSE,TAMMANY,LUKES,MATTHEWS,ELMO,IVES,PETERSBURG`,
		isOpening: `NEW,SAN,SANTA,LOS,LAS,EL,LA,DE,DES,FORT,FT,SAINT,ST,PORT,MOUNT,MT,LAKE,CAPE,GRAND,PALM,LITTLE,BIG,LONG,ROCK,CEDAR,OAK,ELK,GREEN,WHITE,
BLACK,RED,UPPER,LOWER,OLD,GLEN,STE,BATON,TERRE,EAU,COEUR,PEMBROKE,CORAL,WINTER,CHERRY,WALNUT,COUNCIL,CARSON,JERSEY,KANSAS,OKLAHOMA,COLORADO,VIRGINIA,PALOS`,
	} {
		for w := range strings.SplitSeq(strings.ReplaceAll(list, "\n", ""), ",") {
			m[w] |= c
		}
	}
	return m
}()
