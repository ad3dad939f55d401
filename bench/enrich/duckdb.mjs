// Joins a table of ZIP Codes with a table of `postgeo export codes` in DuckDB:
//
//   node duckdb.mjs ROWS CODES OUTPUT COLUMN...
import { DuckDBInstance } from '@duckdb/node-api';

const [rows, codes, output, ...columns] = process.argv.slice(2);
const table = (file) => (file.endsWith('.parquet') ? `read_parquet('${file}')` : `read_csv('${file}', header = true, all_varchar = true)`);
const format = output.endsWith('.parquet') ? 'FORMAT parquet' : 'HEADER';
const db = await DuckDBInstance.create(':memory:');
const connection = await db.connect();
await connection.run(
  `COPY (SELECT r.*, ${columns.map((c) => `k."${c}"`).join(', ')} FROM ${table(rows)} r LEFT JOIN ${table(codes)} k ON r.zip = k.code) TO '${output}' (${format})`,
);
