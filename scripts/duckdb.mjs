// Runs what scripts/duckdb.sh describes: node duckdb.mjs PAGE FOLDER [-update]
import { DuckDBInstance } from '@duckdb/node-api';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [page, folder, update] = [resolve(process.argv[2]), ...process.argv.slice(3)];
const text = readFileSync(page, 'utf8');
process.chdir(folder);
const instance = await DuckDBInstance.create(':memory:');
const db = await instance.connect();
let failed = 0;

async function rows(sql) {
  const reader = await db.runAndReadAll(sql);
  return { names: reader.columnNames(), rows: reader.getRowsJson() };
}

// table writes an answer in columns.
function table({ names, rows }) {
  const cells = [names, ...rows.map(r => r.map(v => (v === null ? 'NULL' : String(v))))];
  const width = names.map((_, i) => Math.max(...cells.map(r => r[i].length)));
  return cells.map(r => r.map((c, i) => c.padEnd(width[i])).join('  ').trimEnd() + '\n').join('');
}

// The blocks of SQL on the page that an answer stands below.
const block = /(<!-- duckdb -->\n```sql\n)([\s\S]*?)(```\n\n```text\n)([\s\S]*?)(```)/g;
let out = '', last = 0, n = 0;
for (const m of text.matchAll(block)) {
  const got = table(await rows(m[2]));
  n++;
  if (got !== m[4] && !update) {
    failed++;
    console.error(`duckdb: the page shows\n${m[4]}and DuckDB answers\n${got}to\n${m[2]}`);
  }
  out += text.slice(last, m.index) + m[1] + m[2] + m[3] + got + m[5];
  last = m.index + m[0].length;
}
if (update) writeFileSync(page, out + text.slice(last));
if (n === 0) {
  failed++;
  console.error('duckdb: the page has no query with an answer');
}

// same throws unless two queries return the same rows, each as often.
async function same(what, a, b) {
  const [[count]] = (await rows(`select count(*)::INT from ((${a}) except all (${b}) union all ((${b}) except all (${a})))`)).rows;
  if (count !== 0) {
    failed++;
    console.error(`duckdb: ${what}: ${count} rows differ`);
  }
}
if (!update) {
  for (const name of ['codes', 'acs']) {
    const csv = `read_csv('${name}.csv', all_varchar = true)`;
    const columns = (await rows(`describe select * from '${name}.parquet'`)).rows.map(r => `"${r[0]}"`);
    const kinds = (await rows(`describe select * from '${name}.parquet'`)).rows.map(r => `"${r[0]}"::${r[1]} as "${r[0]}"`);
    await same(`${name} as Parquet and as CSV`, `select ${kinds} from ${csv}`, `select ${columns} from '${name}.parquet'`);
  }
  await same('outlines as GeoParquet and as hexadecimal WKB', `select layer, geoid, geometry::VARCHAR from 'areas.parquet'`,
    `select layer, geoid, ST_GeomFromWKB(unhex(geometry))::VARCHAR from read_csv('areas.csv', all_varchar = true, max_line_size = 10000000)`);
  await same('a join and postgeo enrich', `select e.id, e.county_fips, e."acs.economic.income.median_household_income" from 'enriched.parquet' e`,
    `select t.id, c.county_fips, a."economic.income.median_household_income"
    from read_csv('customers.csv', all_varchar = true) t left join 'codes.parquet' c on c.code = t.zip
    left join 'acs.parquet' a on a.geoid = c.code and a.year = 2024`);
}
const [[version]] = (await rows('select version()')).rows;
console.log(`duckdb: ${version}, ${n} queries of the page${update ? ' written' : ''}, ${failed} differences`);
process.exit(failed ? 1 : 0);
