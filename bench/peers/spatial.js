// Searches with the npm package zipcodes, for main.go beside it:
//
//   node spatial.js points             prints code, latitude and longitude of
//                                      every code that has a point
//   node spatial.js within MILES CODE… searches around every code
//   node spatial.js nearest LAT,LNG…   finds the code nearest to every point
//
// A search prints nanoseconds, of the fastest of four passes over all of them,
// and hits per search.
"use strict";

const zipcodes = require("zipcodes");

function time(inputs, search) {
  const pass = () => inputs.reduce((hits, v) => hits + search(v), 0);
  let hits = 0;
  let best = Infinity;
  for (let i = 0; i < 4; i++) {
    const start = process.hrtime.bigint();
    hits = pass();
    best = Math.min(best, Number(process.hrtime.bigint() - start));
  }
  console.log(`${best / inputs.length}\t${hits / inputs.length}`);
}

const [command, ...args] = process.argv.slice(2);
switch (command) {
  case "points":
    for (const [code, p] of Object.entries(zipcodes.codes)) {
      if (p.latitude && p.longitude) console.log(`${code}\t${p.latitude}\t${p.longitude}`);
    }
    break;
  case "within": {
    const [miles, ...codes] = args;
    time(codes, (code) => zipcodes.radius(code, Number(miles), true).length);
    break;
  }
  case "nearest":
    time(args.map((a) => a.split(",").map(Number)), ([lat, lng]) => (zipcodes.lookupByCoords(lat, lng) ? 1 : 0));
    break;
  default:
    throw new Error(`unknown command ${command}`);
}
