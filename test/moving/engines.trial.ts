/**
 * Engines as other people run them: PostgreSQL with certificates, behind PgBouncer, with a user who is no superuser;
 * Kafka with TLS, SASL and certificates of clients. `npm run test:engines`. Certificates are made here with openssl;
 * PgBouncer is looked for on the PATH.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createKafkaLog } from '../../infra/log/kafka/index.ts'
import { createDatabase } from '../../infra/postgres/database.ts'
import { migratePostgres } from '../../infra/postgres/migrate.ts'
import { createPool, openOwned } from '../../infra/postgres/pool.ts'
import { silentLogger as logger } from '../../infra/postgres/testing-embedded.ts'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { freePorts } from '../../infra/stack/engine.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { beginFilling, copyRows, finishFilling, withSourceLocked } from '../../model/moves/copy-database.ts'
import { readTables } from '../../model/moves/tables.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-engines-'))
const file = (name: string): string => join(directory, name)
const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' })

const makeAuthority = (): void => {
  const subject = ['-subj', '/CN=Assay trial authority', '-days', '2']
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    ...subject,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  )
}

/** A certificate of our authority, for a name or an address. */
const certify = (name: string, alternative: string): void => {
  writeFileSync(file(`${name}.ext`), `subjectAltName=${alternative}\n`)
  const request = ['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)]
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...request)
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2']
  const made = ['-extfile', file(`${name}.ext`), '-out', file(`${name}.pem`)]
  openssl('x509', '-req', '-in', file(`${name}.csr`), ...signed, ...made)
}

before(() => {
  makeAuthority()
  certify('here', 'IP:127.0.0.1')
  certify('elsewhere', 'DNS:database.example.com')
  certify('program', 'DNS:program.example.com')
})
after(() => rmSync(directory, { recursive: true, force: true }))

const bouncerVersion = (): string | null => {
  const { error, stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
  return error === undefined ? stdout : null
}

/** `reached`, or why not. */
const outcomeOf = async (url: string): Promise<string> => {
  const pool = createPool({ connection: url, max: 1, logger })
  const database = createDatabase(pool)
  const outcome = await database.ping().then(
    () => 'reached',
    error => asAssayError(error).publicMessage,
  )
  await database.close()
  return outcome
}

await describeWithStack(['postgres'], stack => {
  const url = stack.urls.DATABASE_URL ?? ''
  after(() => stack.stop())

  /** PgBouncer before the server, pooling by transaction, with further settings of its own. */
  const withBouncer = async (further: readonly string[], work: (through: string) => Promise<void>): Promise<void> => {
    const [port = 0] = await freePorts(1)
    const { username, password, hostname, port: server } = new URL(url)
    const through = url.replace(/@[^/]+/, `@127.0.0.1:${port}`)
    writeFileSync(file('users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${server}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${file('users.txt')}`,
      'pool_mode = transaction',
      ...further,
    ]
    writeFileSync(file('bouncer.ini'), `${settings.join('\n')}\n`)
    // It refuses to run as root.
    for (const name of readdirSync(directory)) chmodSync(file(name), 0o644)
    chmodSync(directory, 0o755)
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    assert.ok(
      bouncerVersion(),
      'PgBouncer is not on the PATH. Install it (apt-get install pgbouncer), and run this again.',
    )
    const bouncer = spawn('pgbouncer', [...asUser, file('bouncer.ini')], { stdio: 'ignore' })
    try {
      await eventually('PgBouncer answers', async () => (await outcomeOf(through)) !== 'The database is unavailable.')
      await work(through)
    } finally {
      bouncer.kill('SIGKILL')
      await once(bouncer, 'exit')
    }
  }
  const IGNORING =
    'ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout'
  /** With this certificate, for encrypted connections alone: PostgreSQL as the stack has it is built without TLS. */
  const secured = (certificate: string): readonly string[] => [
    IGNORING,
    'client_tls_sslmode = require',
    `client_tls_cert_file = ${file(`${certificate}.pem`)}`,
    `client_tls_key_file = ${file(`${certificate}.key`)}`,
  ]

  describe('PostgreSQL of somebody else', () => {
    it('is worked with by a user who is no superuser, and a move into it is whole', async () => {
      const admin = await openOwned({ connection: url, logger })
      await admin.query(`create role plain login createrole password 'plain'`)
      const places = ['first', 'second'].map(name =>
        url.replace(/\/\/[^@]+@/, '//plain:plain@').replace(/[^/]*$/, name),
      )
      for (const name of ['first', 'second'])
        await admin.query(`create database ${name} owner plain template template0`)
      await admin.close()
      for (const name of ['first', 'second']) {
        const there = await openOwned({ connection: url.replace(/[^/]*$/, name), logger })
        await there.query('create extension vector')
        await there.close()
      }
      for (const connection of places) {
        const pool = createPool({ connection, max: 1, logger })
        await migratePostgres(pool, { logger })
        await pool.end()
      }
      const [from, to] = await Promise.all(places.map(connection => openOwned({ connection, logger })))
      assert.ok(from && to)
      const superuser = await openOwned({ connection: url.replace(/[^/]*$/, 'first'), logger })
      await superuser.query(`insert into tenants (id, name) values (gen_random_uuid(), 'Somebody')`)
      await superuser.query(
        `insert into workspaces (id, tenant_id, slug, name) select gen_random_uuid(), id, 'one', 'One' from tenants`,
      )
      await superuser.close()
      const said: string[] = []
      const begun = await beginFilling(to, await readTables(to.query), '0190b0b0-0000-7000-8000-000000000001')
      await withSourceLocked(from, (query, tables) =>
        copyRows({ from: query, to, tables, begun, report: one => said.push(one) }),
      )
      await finishFilling(to, async () => {})
      assert.match(said.join(), /^database: [2-9] rows/)
      await Promise.all([from.close(), to.close()])
    })

    it('is reached through PgBouncer, which is to let two parameters pass', async () => {
      await withBouncer([], async through =>
        assert.match(await outcomeOf(through), /takes no \w+_timeout: it is a pooler/),
      )
      await withBouncer([IGNORING], async through => {
        const pool = createPool({ connection: through, max: 4, logger })
        await migratePostgres(pool, { logger })
        const database = createDatabase(pool)
        // Many at once share few connections, and each stays in the workspace that it asked for.
        const workspaces = Array.from({ length: 40 }, () => newId<WorkspaceId>())
        const seen = await Promise.all(
          workspaces.map(workspaceId =>
            database.transaction({ role: 'assay_transfer', workspaceId }, transaction =>
              transaction.query<{ id: string }>(`select current_setting('assay.workspace_id') as id`),
            ),
          ),
        )
        assert.deepEqual(
          seen.flat().map(({ id }) => id),
          workspaces,
        )
        await database.close()
      })
    })

    it('is reached by each sslmode as its certificate allows', async () => {
      await withBouncer(secured('here'), async through => {
        const ours = `sslrootcert=${file('ca.pem')}`
        for (const mode of ['require', 'verify-ca', 'verify-full'])
          assert.match(
            await outcomeOf(`${through}?sslmode=${mode}`),
            /certificate of the server is not one that is trusted/,
          )
        for (const mode of ['require', 'verify-ca', 'verify-full'])
          assert.equal(await outcomeOf(`${through}?sslmode=${mode}&${ours}`), 'reached', mode)
        assert.equal(await outcomeOf(`${through}?sslmode=no-verify`), 'reached')
        for (const plain of ['', '?sslmode=disable'])
          assert.match(await outcomeOf(`${through}${plain}`), /expects an encrypted connection/)
      })
      await withBouncer(secured('elsewhere'), async through => {
        const outcome = await outcomeOf(`${through}?sslmode=verify-full&sslrootcert=${file('ca.pem')}`)
        assert.match(outcome, /certificate of the server is of another host/)
      })
    })
  })
})

describe('Kafka of somebody else', () => {
  const home = file('kafka')
  let stop = async () => {}
  let ports: number[]
  const authorities = getCACertificates('default')

  before(async () => {
    ports = [...(await freePorts(3))]
    const [sasl, mutual, controller] = ports
    execFileSync('mkdir', ['-p', home])
    writeFileSync(
      file('kafka.keystore.pem'),
      readFileSync(file('here.key'), 'utf8') + readFileSync(file('here.pem'), 'utf8'),
    )
    const properties = {
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      'controller.listener.names': 'CONTROLLER',
      'inter.broker.listener.name': 'MUTUAL',
      listeners: `SIGNED://127.0.0.1:${sasl},MUTUAL://127.0.0.1:${mutual},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `SIGNED://127.0.0.1:${sasl},MUTUAL://127.0.0.1:${mutual}`,
      'listener.security.protocol.map': 'SIGNED:SASL_SSL,MUTUAL:SSL,CONTROLLER:PLAINTEXT',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': file('kafka.keystore.pem'),
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': file('ca.pem'),
      'listener.name.mutual.ssl.client.auth': 'required',
      'listener.name.signed.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      'listener.name.signed.plain.sasl.jaas.config':
        'org.apache.kafka.common.security.plain.PlainLoginModule required user_assay="hush";',
      'listener.name.signed.scram-sha-256.sasl.jaas.config':
        'org.apache.kafka.common.security.scram.ScramLoginModule required;',
      'listener.name.signed.scram-sha-512.sasl.jaas.config':
        'org.apache.kafka.common.security.scram.ScramLoginModule required;',
      'log.dirs': join(home, 'data'),
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 1,
    }
    writeFileSync(
      file('server.properties'),
      Object.entries(properties)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    const cache = resolve(import.meta.dirname, '../../.cache/stack')
    const version = readdirSync(cache).find(name => /^kafka-[\d.]+$/.test(name))
    assert.ok(version, 'Bring the stack up once: it downloads the broker.')
    const classes = ['-cp', join(cache, version, 'lib', '*'), '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
    const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap(one => [
      '--add-scram',
      `${one}=[name=assay,password=hush]`,
    ])
    const format = ['format', '-t', 'assay-stack-cluster-AA', '-c', file('server.properties'), ...users]
    execFileSync('java', [...classes, 'kafka.tools.StorageTool', ...format], { stdio: 'pipe' })
    const broker = spawn('java', ['-Xmx384m', ...classes, 'kafka.Kafka', file('server.properties')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    stop = async () => {
      broker.kill('SIGKILL')
      await once(broker, 'exit')
    }
  })
  after(async () => {
    setDefaultCACertificates(authorities)
    await stop()
  })

  type Security = Partial<Parameters<typeof createKafkaLog>[0]>
  const outcome = async (port: number | undefined, security: Security): Promise<string> => {
    const log = createKafkaLog({ brokers: [`127.0.0.1:${port}`], clientId: 'trial', logger, attempts: 1, ...security })
    const topic = 'trial'
    const reached = await log
      .ensureTopics([{ name: topic, partitions: 1, retentionMs: 60_000 }])
      .then(() => log.append([{ topic, key: null, value: Buffer.from('one') }]))
      .then(
        () => 'reached',
        error => asAssayError(error).publicMessage,
      )
    await log.close()
    return reached
  }
  const own = () => ({
    cert: readFileSync(file('program.pem'), 'utf8'),
    key: readFileSync(file('program.key'), 'utf8'),
  })
  const signed = (mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512', password = 'hush'): Security => ({
    tls: true,
    sasl: { mechanism, username: 'assay', password },
  })

  it('is not reached without its authority, nor without TLS', async () => {
    await eventually('it listens', async () => /not one that is trusted/.test(await outcome(ports[0], signed('plain'))))
    assert.match(await outcome(ports[0], {}), /expect TLS at this port/)
  })

  it('is reached with TLS and each way to sign in, and refuses a wrong password', async () => {
    setDefaultCACertificates([...authorities, readFileSync(file('ca.pem'), 'utf8')])
    for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512'] as const)
      await eventually(
        `${mechanism} is reached`,
        async () => (await outcome(ports[0], signed(mechanism))) === 'reached',
      )
    assert.match(await outcome(ports[0], signed('scram-sha-512', 'wrong')), /Check its user, password/)
  })

  it('is reached with a certificate of our own where it asks for one, and not without', async () => {
    assert.equal(await outcome(ports[1], { tls: true, certificate: own() }), 'reached')
    assert.notEqual(await outcome(ports[1], { tls: true }), 'reached')
  })
})
