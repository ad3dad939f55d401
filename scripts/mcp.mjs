// Runs what scripts/check-mcp.sh describes: node mcp.mjs PROGRAM
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { spawn } from 'node:child_process'
const program = process.argv[2]
const square = { type: 'Polygon', coordinates: [[[-118.5, 34.0], [-118.3, 34.0], [-118.3, 34.2], [-118.5, 34.2], [-118.5, 34.0]]] }
const income = 'economic.income.median_household_income'
const calls = {
  quick_lookup: { code: '90210', include: 'timezone' }, lookup: { code: '90210', include: ['timezone', 'census', 'cd', 'state_leg', 'school_district', 'demographics', 'medicare', 'acs_economic'] },
  lookup_batch: { codes: ['90210', '99999', 'K1A'], full: true }, radius: { code: '90210', max: 5, mode: 'spatial', include: 'acs_economic' },
  radius_batch: { codes: ['90210', '99999'], max: 3 }, auto_radius: { code: '90210', rule: 'auto' }, nearest: { code: '90210', count: 3 },
  inside_polygon: { polygon: square }, suggest: { query: 'spring' }, distance: { from: '90210', to: '10001' }, distance_batch: { pairs: [{ from: '90210', to: '10001' }, { from: '1', to: '2' }] },
  distance_matrix: { from: ['90210', '10001'] }, pairs_within: { codes: ['90210', '90077'], max: 10 }, boundary_distance: { from: '34.1,-118.4', code: '90210' },
  match_address: { address: '350 5th Ave, New York, NY 10118', include: 'coordinates,census,cd' }, match_addresses: { addresses: ['350 5th Ave, New York, NY 10118', 'x'] },
  zip3: { code: '902' }, suggest_address: { query: '350 5th av' }, assess_address: { address: '350 5th Ave, New York, NY 10118' }, parse_address: { address: '350 5th Ave, New York, NY 10118' }, areas_at: { latitude: 34.1, longitude: -118.4 }, codes_in: { layer: 'county', geoid: '06037', limit: 3 },
  neighbors: { code: '90210' }, outline: { code: '90210' }, crosswalk: { from: 'zip', to: 'county', state: 'CA', limit: 3 }, acs_profile: { code: '10001', profiles: ['economic'] },
  acs_fields: { query: 'median rent' }, acs_series: { codes: ['10001'], fields: [income] }, acs_aggregate: { codes: ['10001', '90210'], fields: [income], years: [2024] },
  acs_compare: { code_a: '10001', code_b: '90210', field: income }, dataset_info: {}, dataset_verify: {}, list_codes: { kind: 'ZIP', prefix: '902' }, list_areas: { layer: 'county', limit: 3 },
  geocode: { address: '400 N Sample Dr, Beverly Hills, CA 90210' }, reverse: { point: '34.1,-118.4' }, table: { name: 'svi', by: 'zip' },
}
const lacks = { reverse: 'NOT_FOUND', table: 'BAD_REQUEST' } // the sample has neither streets nor tables
async function check(name, transport, structured) {
  const client = new Client({ name: 'interop', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  const missing = tools.map(t => t.name).filter(n => !calls[n])
  if (missing.length) throw new Error(`not tried: ${missing}`)
  let bad = 0
  for (const tool of tools) {
    if (!tool.outputSchema === structured) { bad++; console.error(name, tool.name, 'outputSchema', tool.outputSchema) }
    try {
      const r = await client.callTool({ name: tool.name, arguments: calls[tool.name] })
      if (r.isError && lacks[tool.name] && r.content[0].text.startsWith(lacks[tool.name] + ': ')) continue
      const once = structured ? r.structuredContent && !r.content.length : !r.structuredContent && JSON.parse(r.content[0].text)
      if (r.isError || !once) { bad++; console.error(name, tool.name, JSON.stringify(r).slice(0, 500)) }
    } catch (e) { bad++; console.error(name, tool.name, e.message) }
  }
  const failed = await client.callTool({ name: 'lookup', arguments: { code: '9021' } })
  if (!failed.isError || !failed.content[0].text.startsWith('VALIDATION_INVALID_ZIP')) { bad++; console.error(failed) }
  const { resources } = await client.listResources()
  for (const r of resources) await client.readResource({ uri: r.uri })
  console.log(`mcp: ${name}: ${tools.length} tools, ${resources.length} resources, ${bad} wrong`)
  await client.close()
  return bad
}
let bad = 0
for (const more of [[], ['--structured']]) {
  const args = ['--tools', 'all', ...more]
  bad += await check(['stdio', ...more].join(' '), new StdioClientTransport({ command: program, args, stderr: 'ignore' }), more.length > 0)
}
const token = 'interop-token-0123456789'
const server = spawn(program, ['--tools', 'all', '--http', '127.0.0.1:0'], { env: { ...process.env, POSTGEO_MCP_TOKEN: token }, stdio: ['ignore', 'ignore', 'pipe'] })
server.on('error', e => { console.error(`mcp: ${program}: ${e.message}`); process.exit(1) })
process.on('exit', () => server.kill()) // also where a call has failed
let said = ''
const url = await new Promise((ok, wrong) => {
  server.stderr.on('data', d => { said += d; const m = /on (http:\S+)/.exec(said); if (m) ok(m[1]) })
  server.on('exit', c => wrong(new Error(`the server ended with ${c}: ${said}`)))
})
bad += await check('http', new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }), false)
server.kill('SIGTERM')
server.on('exit', c => { process.exit(bad || c ? 1 : 0) })
