import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePorts, requireFreePorts } from './engine.ts'

const SYSTEMS_RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

test('Free ports differ, nobody listens on them, and no outgoing connection is given one.', async () => {
  const ports = await freePorts(50)
  assert.equal(new Set(ports).size, 50)
  await requireFreePorts(Object.fromEntries(ports.map(port => [`PORT_${port}`, port])))
  // Systems without the file begin higher: at 49152, the first port that no service may register.
  const range = await readFile(SYSTEMS_RANGE, 'utf8').catch(() => '49152 65535')
  const first = Number(range.split(/\s/)[0])
  assert.ok(Math.max(...ports) < first, `${Math.max(...ports)} is from ${first} on`)
})

test('A port that was given out is reserved, also while nobody listens on it.', {
  skip: process.platform === 'linux' ? false : 'Only Linux has abstract sockets.',
}, async () => {
  const [port = 0] = await freePorts(1)
  await assert.rejects(once(createServer().listen(`\0assay-port-${port}`), 'listening'), { code: 'EADDRINUSE' })
})
