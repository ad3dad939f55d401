// Files of other writers: node duckdb-foreign.mjs write FOLDER has DuckDB write
// tables in its ways; check FOLDER holds what "postgeo enrich" made of them
// (NAME.out.parquet) against them, row by row and type by type.
import { DuckDBInstance } from '@duckdb/node-api';
import { resolve } from 'node:path';

const [mode, folder] = [process.argv[2], resolve(process.argv[3])];
process.chdir(folder);
const instance = await DuckDBInstance.create(':memory:');
const db = await instance.connect();
await db.run(`create table plain as select i::INTEGER as id, ['90210', '10001', '00601', '99999', null][1 + i % 5] as zip,
  (i * 1.25)::DECIMAL(12, 3) as price, (i * 7)::DECIMAL(30, 10) as wide, date '2020-02-29' + i::INTEGER as day,
  timestamp '2021-03-04 05:06:07.089' + interval (i) second as at, timestamptz '2021-03-04 05:06:07+02' as zoned, time '23:59:58.123456' as clock,
  i % 2 = 0 as even, i / 3.0 as ratio, (i / 3.0)::FLOAT as single, i::UTINYINT as tiny, (18446744073709551615 - i)::UBIGINT as huge, i::HUGEINT as hugeint,
  uuid '5f0c2a54-9f4e-4c1c-9d57-0a4b6f6f0001' as uid, ('x' || i)::BLOB as raw, case when i % 3 = 0 then null else 'n' || (i % 4) end as label,
  (['red', 'green'][1 + i % 2])::ENUM('red', 'green') as colour, {'a': i, 'b': {'c': 'd' || i}} as deep from range(250) t(i)`);
await db.run(`create table nested as select zip, [id, id + 1] as list, case when id % 2 = 0 then null else [{'x': id}] end as objects,
  map {'k': id} as pairs, [[id], [], null] as lists from plain`);
await db.run(`create table long as select zip, repeat('ü' || id, 200000) as text from plain where id < 12`);
await db.run(`create table groups as select id::BIGINT as id, zip from plain, range(40)`);
await db.run(`create table letters as select zip, 'a "b"' || chr(10) || 'c;d,' || id as text, label from plain`);

// Every compression, both versions of data pages, and row groups of 2,048 rows, so that "groups"
// has several. "nested" has lists, which only Parquet can hold; "long" has texts that fill pages.
const parquet = { plain: ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli'], nested: ['zstd'], long: ['zstd'], groups: ['snappy'] };
const csv = { comma: `header`, semicolon: `header, delimiter ';'`, tab: `header, delimiter '\t'`, quoted: `header, force_quote *`, zipped: `header, compression gzip` };

if (mode === 'write') {
  await db.run(`copy plain to 'refused-lz4.parquet' (format parquet, compression lz4_raw)`);
  for (const [name, ways] of Object.entries(parquet)) for (const way of ways) for (const version of ['V1', 'V2'])
    await db.run(`copy ${name} to '${name}-${way}-${version}.parquet' (format parquet, compression ${way}, parquet_version ${version}, row_group_size 2048)`);
  for (const [name, how] of Object.entries(csv)) await db.run(`copy letters to 'csv-${name}.csv${name === 'zipped' ? '.gz' : ''}' (format csv, ${how})`);
} else {
  let failed = 0, n = 0;
  const check = async (what, table, out) => {
    n++;
    try {
      const columns = (await (await db.runAndReadAll(`describe ${table}`)).getRowsJson()).map(r => r[0]);
      const types = async t => JSON.stringify((await (await db.runAndReadAll(`describe select ${columns.map(c => `"${c}"`)} from ${t}`)).getRowsJson()).map(r => [r[0], r[1]]));
      const a = `select ${columns.map(c => `"${c}"`)} from ${table}`, b = `select ${columns.map(c => `"${c}"`)} from '${out}'`;
      const [[rows]] = await (await db.runAndReadAll(`select count(*)::INT from ((${a}) except all (${b}) union all ((${b}) except all (${a})))`)).getRowsJson();
      const [[wrong]] = await (await db.runAndReadAll(`select count(*)::INT from '${out}' where (zip in ('90210', '10001', '00601')) is distinct from (postgeo_status = 'matched') and zip is not null or zip is null and postgeo_status <> 'empty'`)).getRowsJson();
      const same = !out.startsWith('csv') && await types(`'${out.replace('.out.parquet', '.parquet')}'`) !== await types(`'${out}'`);
      if (rows || wrong || same) { failed++; console.error(`duckdb: ${what}: ${rows} rows differ, ${wrong} statuses are wrong, types differ: ${same}`); }
    } catch (e) { failed++; console.error(`duckdb: ${what}: ${e.message}`); }
  };
  for (const [name, ways] of Object.entries(parquet)) for (const way of ways) for (const version of ['V1', 'V2']) {
    const file = `${name}-${way}-${version}`;
    await check(file, `(select * from '${file}.parquet')`, `${file}.out.parquet`);
  }
  await db.run(`create view texts as select zip, text, label from letters`);
  for (const name of Object.keys(csv)) await check(`csv-${name}`, 'texts', `csv-${name}.out.parquet`);
  console.log(`duckdb: ${n} files of DuckDB read, ${failed} differences`);
  process.exit(failed ? 1 : 0);
}
