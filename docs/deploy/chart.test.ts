import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse, parseAllDocuments } from 'yaml'
import { EXAMPLES, fingerprint, readRendered, render, settingsFingerprint } from '../../infra/deploy/chart.ts'
import { read } from '../../infra/deploy/testing.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { PROCESSORS_CONFIG } from '../../processors/config.ts'
import { segmentGroup } from '../../processors/framework/topics.ts'
import { topicsOf } from '../../processors/topology.ts'
import { PROGRAMS, settingsOf } from './settings.ts'

const hasHelm = spawnSync(process.env.HELM ?? 'helm', ['version']).status === 0

const Container = Type.Object({
  name: Type.String(),
  args: Type.Array(Type.String()),
  env: Type.Array(
    Type.Object({ name: Type.String(), value: Type.Optional(Type.String()), valueFrom: Type.Optional(Type.Unknown()) }),
  ),
  ports: Type.Optional(Type.Array(Type.Object({ name: Type.String(), containerPort: Type.Number() }))),
  resources: Type.Object({ limits: Type.Object({ memory: Type.String() }) }),
  securityContext: Type.Object({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: Type.Literal(true),
    capabilities: Type.Object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
})
type Container = Static<typeof Container>

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: Readonly<Record<string, unknown>>
}

type Example = (typeof EXAMPLES)[number]

const MANIFESTS = new Map(
  EXAMPLES.map(example => {
    const text = hasHelm ? render(example) : readRendered(example).text
    // What Helm prints for Kubernetes has these fields.
    return [example, parseAllDocuments(text).flatMap(document => (document.toJS() as Manifest | null) ?? [])] as const
  }),
)

const manifestsOf = (example: Example): readonly Manifest[] => MANIFESTS.get(example) ?? []

/** Without Helm a secret that came since is in settings.yaml, and not yet in what was printed. */
const isOfToday = (example: Example): boolean => hasHelm || readRendered(example).settings === settingsFingerprint()

const Workload = Type.Object({
  template: Type.Object({
    spec: Type.Object({
      automountServiceAccountToken: Type.Literal(false),
      securityContext: Type.Object({ runAsNonRoot: Type.Literal(true) }),
      terminationGracePeriodSeconds: Type.Optional(Type.Number()),
      containers: Type.Tuple([Container]),
    }),
  }),
})

/** The pods of an example, by the program that they run. */
const podsOf = (example: Example) =>
  new Map(
    manifestsOf(example)
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => {
        const pod = Value.Parse(Workload, structuredClone(spec)).template.spec
        return [pod.containers[0].name, pod] as const
      }),
  )

const SCHEMA = JSON.parse(read('kubernetes.schema.json'))
const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
ajv.addSchema({ definitions: SCHEMA.definitions }, 'kubernetes')

/** What Kubernetes would say of a manifest; null for a kind that is not its own. */
const wrongWith = (manifest: Manifest): string | null => {
  const reference = SCHEMA.kinds[`${manifest.apiVersion} ${manifest.kind}`]
  if (reference === undefined) return null
  const validate = ajv.getSchema(`kubernetes${reference}`)
  assert.ok(validate)
  return validate(manifest) ? '' : ajv.errorsText(validate.errors)
}

/** Of the operators of KEDA and Prometheus, whose schemas are not here. */
const OF_OPERATORS = ['ScaledObject', 'PodMonitor', 'PrometheusRule']

for (const example of EXAMPLES) {
  describe(`The chart with examples/${example}.yaml`, () => {
    test('what is kept is what Helm makes of it; npm run chart writes it, where Helm is', () => {
      const { of, text } = readRendered(example)
      assert.equal(of, fingerprint(), 'the chart was changed: npm run chart, where Helm 3 is on the PATH')
      if (hasHelm) assert.equal(text, render(example), 'npm run chart')
    })

    test('every manifest is valid against Kubernetes’ own schema', () => {
      const manifests = manifestsOf(example)
      assert.ok(manifests.length >= 12)
      for (const manifest of manifests) {
        const where = `${manifest.kind} ${manifest.metadata.name}`
        const wrong = wrongWith(manifest)
        if (OF_OPERATORS.includes(manifest.kind)) assert.equal(wrong, null, where)
        else assert.equal(wrong, '', where)
      }
    })

    test('every setting that the values name reaches each program that takes it, and what is secret comes by reference', () => {
      const values = parse(read(`chart/examples/${example}.yaml`))
      const given = { ...parse(read('chart/values.yaml')).settings, ...values.settings }
      const pods = podsOf(example)
      assert.deepEqual([...pods.keys()].toSorted(), Object.keys(PROGRAMS).toSorted())
      const used = new Set<string>()
      for (const [program, schema] of Object.entries(PROGRAMS)) {
        const env = new Map(pods.get(program)?.containers[0].env.map(each => [each.name, each]))
        for (const { env: name, secret } of settingsOf(schema)) {
          if (name in given) {
            assert.equal(env.get(name)?.value, String(given[name]), `${program}: ${name}`)
            used.add(name)
          } else if (secret && isOfToday(example)) {
            const reference = { name: values.existingSecret ?? 'assay', key: name, optional: true }
            assert.deepEqual(env.get(name)?.valueFrom, { secretKeyRef: reference }, `${program}: ${name}`)
          }
        }
        const own = new Set([
          ...Object.values(schema).map(({ env: name }) => name),
          'NODE_EXTRA_CA_CERTS',
          'HOST',
          'PORT',
        ])
        assert.deepEqual(
          [...env.keys()].filter(name => !own.has(name)),
          [],
          program,
        )
      }
      assert.deepEqual(
        Object.keys(given).filter(name => !used.has(name)),
        [],
      )
    })

    test('the programs start with what the values give them', () => {
      const addresses = {
        KAFKA_BROKERS: 'kafka:9092',
        SCHEMA_REGISTRY_URL: 'http://registry',
        DATABASE_URL: 'postgres://assay@postgres/assay',
        CLICKHOUSE_URL: 'http://clickhouse:8123',
        INSTALLATION_KEY: 'A'.repeat(43),
      }
      for (const [program, { containers }] of podsOf(example)) {
        const env = Object.fromEntries(containers[0].env.map(({ name, value }) => [name, value]))
        parseConfig(PROGRAMS[program as keyof typeof PROGRAMS], { ...addresses, ...definedOf(env) })
        assert.deepEqual(containers[0].args, [program])
      }
    })

    test('a program has longer to stop than it takes, and its caches fit its memory', () => {
      for (const [program, { terminationGracePeriodSeconds: grace, containers }] of podsOf(example)) {
        if (program === 'migrate') continue
        assert.ok((grace ?? 0) >= 35, program)
        const caches = containers[0].env.filter(({ name }) => name.endsWith('_MEMORY_MB'))
        const sum = caches.reduce((total, { value }) => total + Number(value), program === 'ingest' ? 128 : 0)
        assert.ok(sum > 0 && sum + BESIDES <= mebibytes(containers[0]), program)
      }
    })

    test('migrate goes before the programs of each release', () => {
      const job = manifestsOf(example).find(({ kind }) => kind === 'Job')
      assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
    })
  })
}

/** MiB that a program takes besides its caches: docs/operations/kubernetes.md has what was measured. */
const BESIDES = 512

const mebibytes = ({ resources }: Container): number => {
  const [, digits, unit] = /^(\d+)(Mi|Gi)$/.exec(resources.limits.memory) ?? []
  return Number(digits) * (unit === 'Gi' ? 1024 : 1)
}

const definedOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

test('a manifest that Kubernetes would refuse is noticed', () => {
  const [deployment] = manifestsOf('minimal').filter(({ kind }) => kind === 'Deployment')
  assert.ok(deployment)
  assert.match(wrongWith({ ...deployment, spec: { ...deployment.spec, replica: 2 } }) ?? '', /additional properties/)
  assert.match(wrongWith({ ...deployment, spec: { replicas: 2 } }) ?? '', /required/)
})

test('processors are scaled by the lag of groups and topics that there are', () => {
  const scaled = manifestsOf('full').find(({ kind }) => kind === 'ScaledObject')
  const Triggers = Type.Array(
    Type.Object({
      type: Type.Literal('kafka'),
      metadata: Type.Record(Type.String(), Type.String()),
      authenticationRef: Type.Object({ name: Type.String() }),
    }),
  )
  const triggers = Value.Parse(Triggers, structuredClone(scaled?.spec?.triggers))
  const config = parseConfig(PROCESSORS_CONFIG, {})
  const topics = new Set(topicsOf(config).map(({ name }) => name))
  assert.deepEqual(
    triggers.map(({ metadata }) => metadata.consumerGroup),
    config.heads.map(head => segmentGroup(head, 'live')),
  )
  for (const { metadata } of triggers) {
    assert.ok(topics.has(metadata.topic ?? ''), metadata.topic)
    assert.equal(metadata.sasl, 'scram_sha512')
  }
})

test('what is for orchestrators alone leads nowhere from outside', () => {
  const ingress = manifestsOf('full').find(({ kind }) => kind === 'Ingress')
  const Paths = Type.Array(
    Type.Object({
      path: Type.String(),
      backend: Type.Object({ service: Type.Object({ name: Type.String() }) }),
    }),
  )
  const Rules = Type.Object({ rules: Type.Tuple([Type.Object({ http: Type.Object({ paths: Paths }) })]) })
  const { paths } = Value.Parse(Rules, structuredClone(ingress?.spec)).rules[0].http
  assert.deepEqual(
    paths.map(({ path, backend }) => [path, backend.service.name]),
    [
      ['/livez', 'assay-hidden'],
      ['/readyz', 'assay-hidden'],
      ['/metrics', 'assay-hidden'],
      ['/api/webhooks', 'assay-ingest'],
      ['/', 'assay-query-api'],
    ],
  )
})
