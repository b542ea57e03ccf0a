import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { countStuck, storedFacts } from './facts.ts'
import { Finding, findingsOf } from './findings.ts'

export const supportDiagnose = readOperation({
  name: 'diagnose_workspace',
  title: 'Why the workspace does not behave as expected',
  summary:
    'Checks the whole workspace and answers findings, the worst first, each with its cause, the figures it was found by, what ends it and the next call. No findings: everything that is checked is as it should be.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({}),
  output: Type.Object({
    healthy: Type.Boolean({ description: 'Nothing is broken or degraded.' }),
    count: Type.Integer(),
    items: Type.Array(Finding),
  }),
  run: async (_input, { read, services: { analytics, embedder, now }, caller }) => {
    const at = now()
    const stored = await read(transaction => storedFacts(transaction, embedder.model))
    const stuck = await countStuck(analytics, caller.workspaceId, at)
    const { model, limitation } = embedder
    const items = findingsOf({ ...stored, stuck_signals: stuck, embedder: { model, limitation } }, at)
    const healthy = items.every(({ severity }) => severity !== 'broken' && severity !== 'degraded')
    return { data: { healthy, count: items.length, items } }
  },
})
