/**
 * The direction of dependencies (see docs/architecture.md): schemas <- infra <- model <- ingest, processors, query-api.
 * There is no list of exceptions: a rule that gets in the way is changed here, for everyone, or obeyed.
 */
const outside = 'node_modules|^node:'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'schemas-are-pure',
      comment: 'Contracts know no I/O and no other folder.',
      severity: 'error',
      from: { path: '^schemas/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^schemas/|node_modules/(typebox|uuid|avsc)/|^(node:)?crypto$' },
    },
    {
      name: 'infra-knows-no-product',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^(model|commands|ingest|processors|query-api|bench|test)/|^assay\\.ts$' },
    },
    {
      name: 'model-is-below-the-programs',
      severity: 'error',
      from: { path: '^model/' },
      to: { path: '^(commands|ingest|processors|query-api|bench|test)/|^assay\\.ts$' },
    },
    {
      name: 'programs-do-not-import-each-other',
      severity: 'error',
      from: { path: '^(ingest|processors|query-api)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(ingest|processors|query-api)/', pathNot: '^$1/' },
    },
    {
      name: 'a-step-never-imports-a-step',
      severity: 'error',
      from: { path: '^processors/steps/([^/]+)/' },
      to: { path: '^processors/steps/([^/]+)/', pathNot: '^processors/steps/$1/' },
    },
    {
      name: 'a-receiver-never-imports-a-receiver',
      severity: 'error',
      from: { path: '^ingest/receivers/([^/]+)/' },
      to: { path: '^ingest/receivers/([^/]+)/', pathNot: '^ingest/receivers/$1/' },
    },
    {
      name: 'the-framework-knows-no-step',
      severity: 'error',
      from: { path: '^processors/framework/' },
      to: { path: '^(processors/(steps|sinks)/|processors/(main|topology)\\.ts$)' },
    },
    {
      name: 'a-tool-imports-operations-only',
      severity: 'error',
      from: { path: '^query-api/tools/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^query-api/(tools|operations)/' },
    },
    {
      name: 'operations-begin-jobs-within-the-quota',
      severity: 'error',
      from: { path: '^query-api/', pathNot: '^query-api/operations/jobs/job\\.ts$|\\.test\\.ts$' },
      to: { path: '^model/jobs/start-job\\.ts$' },
    },
    {
      name: 'drivers-only-in-their-adapters',
      comment:
        'The model gets a typed transaction; nobody else meets a driver. A benchmark’s peer is a program as others would write it.',
      severity: 'error',
      from: { pathNot: '^infra/(log|postgres|clickhouse|valkey)/|^bench/peers/|\\.test\\.ts$' },
      to: { path: 'node_modules/(kafkajs|pg|@clickhouse|chdb|@electric-sql|iovalkey)/' },
    },
    {
      name: 'the-app-takes-types-and-contracts-only',
      comment:
        'What runs in a browser is web/src and schemas/; of the operations it knows the types, of the rest nothing.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^web/src/|^virtual:messages$|^schemas/|^query-api/operations/|^node_modules/' },
    },
    {
      name: 'the-app-holds-no-code-of-the-service',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^query-api/operations/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-app-is-served-as-files',
      severity: 'error',
      from: { pathNot: '^web/src/' },
      // Which languages there are, and how they say what the service says, is asked by their tests too.
      to: { path: '^web/src/', pathNot: '^web/src/language/(languages|templates)\\.ts$' },
    },
    {
      name: 'only-the-command-sees-every-program',
      severity: 'error',
      from: { pathNot: '^assay\\.ts$|^(commands|ingest|processors|query-api|web|test|bench|docs)/|\\.test\\.ts$' },
      to: { path: '^(ingest|processors|query-api)/' },
    },
    {
      name: 'benches-drive-from-outside',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^(ingest|processors|query-api)/' },
    },
    // The build makes the messages of each language.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:messages$' } },
  ],
  options: {
    doNotFollow: { path: outside },
    exclude: { path: '^(\\.data|\\.cache|bench/k6|web/(assets|dist))/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
