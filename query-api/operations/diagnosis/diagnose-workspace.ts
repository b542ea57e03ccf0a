import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { inOneAnswer } from '../parts/fields.ts'
import { readFacts } from './facts.ts'
import { Finding } from './finding.ts'
import { findingsOf } from './findings/findings.ts'

export const diagnoseWorkspace = readOperation({
  name: 'diagnose_workspace',
  title: 'Why the workspace does not behave as expected',
  summary:
    'Checks the whole workspace and answers findings, the worst first, each with its cause, the figures it was found by, what ends it and the next call, arguments and all. No findings: everything that is checked is as it should be.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({}),
  output: Type.Object({
    healthy: Type.Boolean({ description: 'Nothing is broken or degraded.' }),
    count: Type.Integer(),
    items: inOneAnswer('one for each thing that is checked', Finding),
  }),
  run: async (_input, context) => {
    const items = findingsOf(await readFacts(context))
    const healthy = items.every(({ severity }) => severity !== 'broken' && severity !== 'degraded')
    return { data: { healthy, count: items.length, items } }
  },
})
