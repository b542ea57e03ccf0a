import { Type } from 'typebox'
import { readDigest as readChosen } from '../../../model/members/digests.ts'
import { readOperation } from '../define.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { DigestShape, digestShape } from './digest-shape.ts'

export const readDigest = readOperation({
  name: 'read_digest',
  title: 'How often you are told by mail what changed',
  summary: 'Answers how often you get a mail of what changed in this workspace, and when the next one comes.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: DigestShape,
  run: async (_input, { caller, read, services }) => {
    const chosen = await read(transaction => readChosen(transaction, caller.workspaceId, caller.userId))
    return { data: digestShape(chosen ?? throwDeleted('workspace'), services.mail !== null) }
  },
})
