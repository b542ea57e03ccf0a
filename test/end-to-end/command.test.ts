import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assay } from '../support/assay.ts'

describe('The command', () => {
  it('says how it is used when it is not understood', () => {
    const { status, stderr } = assay(['everything'])
    assert.equal(status, 2)
    assert.match(stderr, /Usage: assay <command>/)
  })

  it('names every variable that a program of its own needs and does not have', () => {
    const { status, stderr } = assay(['ingest'], { DATABASE_URL: 'mysql://root:hush@localhost/assay' })
    assert.equal(status, 1)
    for (const name of ['INSTALLATION_KEY', 'KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL']) {
      assert.match(stderr, new RegExp(`^${name} is not set\\.`, 'm'))
    }
    assert.match(stderr, /^DATABASE_URL is "mysql:.*postgres:\/\//m)
    assert.doesNotMatch(stderr, /hush/)
  })

  it('takes --segments in both forms, as another way to write PIPELINE_SEGMENTS', () => {
    const environment = {
      INSTALLATION_KEY: 'A'.repeat(43),
      KAFKA_BROKERS: 'localhost:9092',
      SCHEMA_REGISTRY_URL: 'http://localhost:8081',
      DATABASE_URL: 'postgres://localhost/assay',
      CLICKHOUSE_URL: 'http://localhost:8123/assay',
    }
    for (const flags of [['--segments', 'embed,anchor'], ['--segments=embed,anchor']]) {
      const { stdout } = assay(['processors', ...flags, '--print-config'], environment)
      assert.match(stdout, /^PIPELINE_SEGMENTS=embed,anchor$/m)
    }
    const { status, stderr } = assay(['processors', '--segments', 'sorting'], environment)
    assert.equal(status, 1)
    assert.match(stderr, /PIPELINE_SEGMENTS is "sorting"\. It must be steps/)
    assert.equal(assay(['ingest', '--segments', 'embed'], environment).status, 2)
  })

  it('prints the settings in force with secrets masked, and starts nothing', () => {
    const { status, stdout } = assay(['all', '--print-config'], { PORT: '9999', JUDGE_API_KEY: 'not for the screen' })
    assert.equal(status, 0)
    assert.match(stdout, /^PORT=9999$/m)
    assert.match(stdout, /^JUDGE_API_KEY=\*+$/m)
    assert.doesNotMatch(stdout, /not for the screen/)
  })

  it('names every setting that is wrong, at once', () => {
    const { status, stderr } = assay(['all'], { PORT: '99999', LOG_LEVEL: 'loud', RETRY_DELAYS: 'soon' })
    assert.equal(status, 1)
    for (const name of ['PORT', 'LOG_LEVEL', 'RETRY_DELAYS']) assert.match(stderr, new RegExp(`^${name} is `, 'm'))
  })
})
