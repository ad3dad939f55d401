// Runs what scripts/check-sbom.sh describes: node sbom.mjs FOLDER
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const read = name => readFileSync(`${folder}/${name}`);
const text = read('bom.json').toString();
const problems = [];

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const against = await validator.validate(text);
if (against !== null) problems.push(`against the schema: ${JSON.stringify(against)}`);

// Modules printed by "go version -m", by path and version.
const bom = JSON.parse(text);
const components = new Map(bom.components.map(c => [`${c.name}@${c.version}`, c]));
let modules = new Map();
for (const line of read('modules.txt').toString().split('\n')) {
  const [kind, path, version, sum] = line.trim().split('\t');
  if (kind === 'dep' && !path.startsWith('github.com/postgeo/')) modules.set(`${path}@${version}`, sum);
}
for (const [id, sum] of modules) {
  const c = components.get(id);
  if (!c) problems.push(`${id} is linked and not listed`);
  else if (!(c.licenses?.[0]?.license?.id || c.licenses?.[0]?.expression) || c.purl !== `pkg:golang/${id}`) problems.push(`${id}: license or purl is missing`);
  else if (!c.properties?.some(p => p.name === 'go.sum' && p.value === sum)) problems.push(`${id}: the checksum is not ${sum}`);
}
for (const c of bom.components) {
  if (c.type === 'library' && c.name !== 'std' && !modules.has(`${c.name}@${c.version}`)) problems.push(`${c.name} is listed and not linked`);
  if (c.type === 'file' && c.hashes[0].content !== createHash('sha256').update(read(c.name)).digest('hex')) problems.push(`${c.name}: another checksum`);
}
for (const p of problems) console.error(`sbom: ${p}`);
console.log(`sbom: ${bom.components.length} components, ${modules.size} linked modules, ${problems.length} problems`);
process.exit(problems.length || modules.size === 0 ? 1 : 0);
