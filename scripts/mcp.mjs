// Runs what scripts/check-mcp.sh describes: node mcp.mjs PROGRAM
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { spawn } from 'node:child_process'
const program = process.argv[2]
const square = { type: 'Polygon', coordinates: [[[-118.5, 34.0], [-118.3, 34.0], [-118.3, 34.2], [-118.5, 34.2], [-118.5, 34.0]]] }
const income = 'economic.income.median_household_income'
const calls = {
  lookup: { code: '90210', include: ['timezone', 'census', 'cd', 'state_leg', 'school_district', 'demographics', 'medicare', 'acs_economic'] },
  radius: { code: '90210', max: 5, mode: 'spatial', include: 'acs_economic' }, nearest: { code: '90210', count: 3 }, inside_polygon: { polygon: square },
  suggest: { query: 'spring' }, distance: { from: '90210', to: '10001' }, match_address: { address: '350 5th Ave, New York, NY 10118', include: 'coordinates,census,cd' },
  codes_in: { layer: 'county', geoid: '06037', limit: 3 }, crosswalk: { from: 'zip', to: 'county', state: 'CA', limit: 3 },
  acs_profile: { code: '10001', profiles: ['economic'] }, acs_series: { codes: ['10001'], fields: [income] }, dataset_info: {},
  geocode: { address: '400 N Sample Dr, Beverly Hills, CA 90210' }, reverse: { point: '34.1,-118.4' },
}
const lacks = { reverse: 'NOT_FOUND' } // the sample has no streets
async function check(name, transport) {
  const client = new Client({ name: 'interop', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  const missing = tools.map(t => t.name).filter(n => !calls[n])
  if (missing.length) throw new Error(`not tried: ${missing}`)
  let bad = 0
  for (const tool of tools) {
    try {
      const r = await client.callTool({ name: tool.name, arguments: calls[tool.name] })
      if (r.isError && lacks[tool.name] && r.content[0].text.startsWith(lacks[tool.name] + ': ')) continue
      if (r.isError || !JSON.parse(r.content[0].text)) { bad++; console.error(name, tool.name, JSON.stringify(r).slice(0, 500)) }
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
bad += await check('stdio', new StdioClientTransport({ command: program, args: [], stderr: 'ignore' }))
const token = 'interop-token-0123456789'
const server = spawn(program, ['--http', '127.0.0.1:0'], { env: { ...process.env, POSTGEO_MCP_TOKEN: token }, stdio: ['ignore', 'ignore', 'pipe'] })
server.on('error', e => { console.error(`mcp: ${program}: ${e.message}`); process.exit(1) })
process.on('exit', () => server.kill()) // also where a call has failed
let said = ''
const url = await new Promise((ok, wrong) => {
  server.stderr.on('data', d => { said += d; const m = /on (http:\S+)/.exec(said); if (m) ok(m[1]) })
  server.on('exit', c => wrong(new Error(`the server ended with ${c}: ${said}`)))
})
bad += await check('http', new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }))
server.kill('SIGTERM')
server.on('exit', c => { process.exit(bad || c ? 1 : 0) })
