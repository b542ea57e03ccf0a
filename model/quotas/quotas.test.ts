import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseConfig, renderConfig } from '../../infra/runtime/config.ts'
import { QUOTA_CONFIG } from './quotas.ts'

const parse = (QUOTAS: string) => parseConfig(QUOTA_CONFIG, { QUOTAS })

describe('QUOTAS', () => {
  it('changes the limits that it names, and is printed as it was written', () => {
    const { quotas: byDefault } = parseConfig(QUOTA_CONFIG, {})
    const config = parse('map_nodes=3, import_megabytes = 65536')
    assert.deepEqual(config.quotas, { ...byDefault, mapNodes: 3, importMegabytes: 65_536 })
    assert.equal(renderConfig(QUOTA_CONFIG, config), 'QUOTAS=map_nodes=3,import_megabytes=65536')
  })

  for (const wrong of [
    'nodes=3',
    'map_nodes',
    'map_nodes=0',
    'jobs=1000001',
    'import_megabytes=65537',
    'jobs=1,,',
    'toString=1',
  ])
    it(`refuses ${wrong}`, () => assert.throws(() => parse(wrong), /QUOTAS is .* It must be limits/))
})
