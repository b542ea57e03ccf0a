import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { assay } from '../support/assay.ts'

describe('The command', () => {
  it('says how it is used when it is not understood', async () => {
    const { code, stderr } = await assay(['everything'])
    assert.equal(code, 2)
    assert.match(stderr, /^error: unknown command 'everything'$/m)
  })

  it('says which version it is', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.deepEqual(await assay(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('names what was probably meant, or how a setting is given', async () => {
    const wrong = [
      [['migrat'], /Did you mean migrate\?/],
      [['ingest', '--port', '80'], /^It is a setting.*: PORT=80 npm run assay -- ingest$/m],
      [['incident', '--unit-per-minute', '9'], /Did you mean --units-per-minute\?/],
      [['processors', '--segments'], /'--segments <heads>' argument missing/],
    ] as const
    const answers = await Promise.all(wrong.map(([words]) => assay([...words])))
    for (const [index, { code, stderr }] of answers.entries()) {
      assert.equal(code, 2)
      assert.match(stderr, wrong[index]?.[1] ?? /^$/)
    }
  })

  it('says what a command takes', async () => {
    const { code, stdout } = await assay(['account', '--help'])
    assert.equal(code, 0)
    for (const word of ['--email <address>', 'reset-link', '--print-config']) assert.ok(stdout.includes(word), word)
  })

  it('takes arguments from the command line alone, and refuses their former variables', async () => {
    const { code, stderr } = await assay(['account', 'disable'], { ACCOUNT_EMAIL: 'a@example.com' })
    assert.equal(code, 1)
    assert.match(stderr, /^ACCOUNT_EMAIL is --email <address> by now\.$/m)
    assert.match((await assay(['all'], { QUOTA_JOBS_AT_ONCE: '5' })).stderr, /^QUOTA_JOBS_AT_ONCE is QUOTAS by now\.$/m)
    for (const words of [['backup'], ['key', 'new', 'more'], ['provisioning-key']])
      assert.equal((await assay(words)).code, 2, words.join(' '))
  })

  it('refuses to guess the address in front of a query API of its own', async () => {
    const { code, stderr } = await assay(['query-api'])
    assert.equal(code, 1)
    assert.match(stderr, /^BASE_URL is not set\./m)
  })

  it('names every variable that a program of its own needs and does not have', async () => {
    const { code, stderr } = await assay(['ingest'], { DATABASE_URL: 'mysql://root:hush@localhost/assay' })
    assert.equal(code, 1)
    for (const name of ['INSTALLATION_KEY', 'KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL']) {
      assert.match(stderr, new RegExp(`^${name} is not set\\.`, 'm'))
    }
    assert.match(stderr, /^DATABASE_URL is "mysql:.*postgres:\/\//m)
    assert.doesNotMatch(stderr, /hush/)
  })

  it('takes --segments in both forms, as another way to write PIPELINE_SEGMENTS', async () => {
    const environment = {
      INSTALLATION_KEY: 'A'.repeat(43),
      KAFKA_BROKERS: 'localhost:9092',
      SCHEMA_REGISTRY_URL: 'http://localhost:8081',
      DATABASE_URL: 'postgres://localhost/assay',
      CLICKHOUSE_URL: 'http://localhost:8123/assay',
    }
    for (const flags of [['--segments', 'embed,anchor'], ['--segments=embed,anchor']]) {
      const { stdout } = await assay(['processors', ...flags, '--print-config'], environment)
      assert.match(stdout, /^PIPELINE_SEGMENTS=embed,anchor$/m)
    }
    const { code, stderr } = await assay(['processors', '--segments', 'sorting'], environment)
    assert.equal(code, 1)
    assert.match(stderr, /PIPELINE_SEGMENTS is "sorting"\. It must be steps/)
    const { code: refused } = await assay(['ingest', '--segments', 'embed'], environment)
    assert.equal(refused, 2)
  })

  it('prints the settings in force with secrets masked, and starts nothing', async () => {
    const { code, stdout, stderr } = await assay(['all', '--print-config'], {
      PORT: '9999',
      JUDGE_API_KEY: 'not for the screen',
      EMBEDDING_URL: 'nor this',
    })
    assert.equal(code, 0)
    assert.match(stderr, /^EMBEDDING_URL is no setting and is not read\. Did you mean EMBEDDINGS_URL\?$/m)
    assert.doesNotMatch(stderr, /nor this/)
    assert.match(stdout, /^PORT=9999$/m)
    assert.match(stdout, /^JUDGE_API_KEY=\*+$/m)
    assert.doesNotMatch(stdout, /not for the screen/)
  })

  it('names every setting that is wrong, at once', async () => {
    const { code, stderr } = await assay(['all'], { PORT: '99999', LOG_LEVEL: 'loud', RETRY_DELAYS: 'soon' })
    assert.equal(code, 1)
    for (const name of ['PORT', 'LOG_LEVEL', 'RETRY_DELAYS']) assert.match(stderr, new RegExp(`^${name} is `, 'm'))
  })

  it('refuses to leave out a part of the pipeline where no other program can serve it', async () => {
    const { code, stderr } = await assay(['all'], { PIPELINE_SEGMENTS: 'validate,cluster' })
    assert.equal(code, 1)
    assert.match(stderr, /^PIPELINE_SEGMENTS leaves out embed, anchor, .*name validate,embed,anchor,cluster\.$/m)
  })
})
