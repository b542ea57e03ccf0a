import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { BlockList, isIPv6 } from 'node:net'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse, parseAllDocuments } from 'yaml'
import { EXAMPLES, fingerprint, readRendered, render, settingsFingerprint } from '../../infra/deploy/chart.ts'
import { read } from '../../infra/deploy/testing.ts'
import { type ConfigSchema, parseConfig } from '../../infra/runtime/config.ts'
import { PROCESSORS_CONFIG } from '../../processors/config.ts'
import { segmentGroup } from '../../processors/framework/topics.ts'
import { topicsOf } from '../../processors/topology.ts'
import { BY_THE_CLOCK, PROGRAMS, settingsOf } from './settings.ts'

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
      serviceAccountName: Type.Optional(Type.String()),
      priorityClassName: Type.Optional(Type.String()),
      securityContext: Type.Object({ runAsNonRoot: Type.Literal(true) }),
      terminationGracePeriodSeconds: Type.Optional(Type.Number()),
      containers: Type.Tuple([Container]),
    }),
  }),
})

/** What runs the pods of a manifest; undefined for one that runs none. */
const workloadOf = ({ kind, spec }: Manifest): unknown => {
  if (kind === 'Deployment' || kind === 'Job') return spec
  return kind === 'CronJob' ? Value.Parse(CronJob, structuredClone(spec)).jobTemplate.spec : undefined
}

const CronJob = Type.Object({ jobTemplate: Type.Object({ spec: Type.Unknown() }) })

/** The pods of an example, by the program that they run. */
const podsOf = (example: Example) =>
  new Map(
    manifestsOf(example)
      .flatMap(manifest => workloadOf(manifest) ?? [])
      .map(workload => {
        const pod = Value.Parse(Workload, structuredClone(workload)).template.spec
        return [pod.containers[0].name, pod] as const
      }),
  )

/** What an example runs: all of it has what is run by the clock, too. */
const programsOf = (example: Example): Readonly<Record<string, ConfigSchema>> =>
  example === 'full' ? { ...PROGRAMS, ...BY_THE_CLOCK } : PROGRAMS

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { erasures: ['erasures', 'save', '/backups'] }

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
      assert.deepEqual([...pods.keys()].toSorted(), Object.keys(programsOf(example)).toSorted())
      const used = new Set<string>()
      for (const [program, schema] of Object.entries(programsOf(example))) {
        const env = new Map(pods.get(program)?.containers[0].env.map(each => [each.name, each]))
        for (const { env: name, secret } of settingsOf(schema)) {
          if (name in given) {
            assert.equal(env.get(name)?.value, String(given[name]), `${program}: ${name}`)
            used.add(name)
          } else if (name in (values.secrets ?? {})) {
            assert.deepEqual(env.get(name)?.valueFrom, { secretKeyRef: values.secrets[name] }, `${program}: ${name}`)
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
        parseConfig(programsOf(example)[program] ?? {}, { ...addresses, ...definedOf(env) })
        assert.deepEqual(containers[0].args, ARGUMENTS[program] ?? [program])
      }
    })

    test('a program has longer to stop than it takes, and its caches fit its memory', () => {
      for (const [program, { terminationGracePeriodSeconds: grace, containers }] of podsOf(example)) {
        if (!RUNS_ALWAYS.includes(program)) continue
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

const RUNS_ALWAYS: readonly string[] = ['ingest', 'processors', 'query-api']

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

const Policy = Type.Object({
  podSelector: Type.Object({ matchLabels: Type.Object({ 'app.kubernetes.io/component': Type.String() }) }),
  ingress: Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({
        ports: Type.Array(Type.Object({ port: Type.String() })),
        from: Type.Optional(Type.Unknown()),
      }),
    ),
  ]),
  egress: Type.Array(
    Type.Object({
      to: Type.Optional(
        Type.Array(
          Type.Object({
            ipBlock: Type.Optional(
              Type.Object({
                cidr: Type.String(),
                except: Type.Optional(Type.Array(Type.String())),
              }),
            ),
          }),
        ),
      ),
    }),
  ),
})

/** The network policies of an example, by the program whose pods they are for. */
const policiesOf = (example: Example) =>
  new Map(
    manifestsOf(example)
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => {
        const policy = Value.Parse(Policy, structuredClone(spec))
        return [policy.podSelector.matchLabels['app.kubernetes.io/component'], policy] as const
      }),
  )

for (const example of EXAMPLES) {
  test(`${example}: the network policies let Prometheus in wherever the PodMonitor sends it, and cover every pod`, () => {
    const { networkPolicy } = parse(read(`chart/examples/${example}.yaml`))
    assert.ok(manifestsOf(example).some(({ kind }) => kind === 'PodMonitor'))
    const policies = policiesOf(example)
    assert.deepEqual([...policies.keys()].toSorted(), [...podsOf(example).keys()].toSorted())
    for (const program of RUNS_ALWAYS) {
      const rules = policies.get(program)?.ingress ?? []
      const forMetrics = rules.filter(({ ports }) => ports.some(({ port }) => port === 'http'))
      const froms = forMetrics.map(({ from }) => from)
      assert.ok(
        froms.some(from => isDeepStrictEqual(from, networkPolicy?.monitoringFrom)),
        program,
      )
    }
  })
}

/** Where clouds answer with the rights of the machine: AWS and others, Alibaba; by IPv6 AWS, Google, Oracle. */
const METADATA = [
  '169.254.169.254',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fe80::a9fe:a9fe',
]

test('by default nothing reaches the metadata service of a cloud, by either family of addresses', () => {
  for (const [program, { egress }] of policiesOf('minimal')) {
    const blocks = egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
    for (const address of METADATA) {
      const isReached = blocks.some(
        ({ cidr, except = [] }) => contains(cidr, address) && !except.some(each => contains(each, address)),
      )
      assert.ok(!isReached, `${program} reaches ${address}`)
    }
    for (const address of ['10.1.2.3', '2001:db8::1']) assert.ok(blocks.some(({ cidr }) => contains(cidr, address)))
  }
})

const contains = (cidr: string, address: string): boolean => {
  const [network = '', bits] = cidr.split('/')
  const family = isIPv6(network) ? 'ipv6' : 'ipv4'
  if (isIPv6(address) !== (family === 'ipv6')) return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family)
  return list.check(address, family)
}

test('every pod has the priority that was asked for, and an account that is there when it starts', () => {
  const accounts = new Map(
    manifestsOf('full').flatMap(({ kind, metadata }) => (kind === 'ServiceAccount' ? [[metadata.name, metadata]] : [])),
  )
  for (const [program, { serviceAccountName = '', priorityClassName }] of podsOf('full')) {
    assert.equal(priorityClassName, 'business-critical', program)
    const { annotations = {} } = accounts.get(serviceAccountName) ?? assert.fail(`${program} has no account`)
    assert.equal(annotations['eks.amazonaws.com/role-arn'], 'arn:aws:iam::111122223333:role/assay')
    assert.equal('helm.sh/hook' in annotations, program === 'migrate', program)
  }
  for (const pod of podsOf('minimal').values())
    assert.deepEqual([pod.serviceAccountName, pod.priorityClassName], [undefined, undefined])
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
