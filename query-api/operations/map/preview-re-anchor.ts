import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { betterPlaces, readPlaces } from '../../../model/map/better-places.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import { readOperation, Type } from '../define.ts'

/** So many of the newest are compared: with the 300 texts of a large map that takes some two seconds. */
const MAX_COMPARED = 1_000

export const previewReAnchor = readOperation({
  name: 'preview_re_anchor',
  title: 'What placing Signals again would move',
  summary:
    'A dry run of the job re_anchor: how many of the newest thousand Signals it would move to another node of the map, place at one, or release. Changes nothing. What people placed stays.',
  units: 3,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    compared: Type.Integer({ description: 'Signals that were looked at, the newest.' }),
    moved: Type.Integer({ description: 'Of these, to another node than they are at.' }),
    placed: Type.Integer({ description: 'That are at none, to a node.' }),
    released: Type.Integer({ description: 'That would be at no node any more.' }),
  }),
  run: (_input, { caller: { workspaceId }, read, services: { embedder } }) =>
    read(async transaction => {
      const { model } = embedder
      const after = Math.max(0, (await newestNumber(transaction, workspaceId)) - MAX_COMPARED)
      const signals = await readPlaces(transaction, { workspaceId, after, model }, MAX_COMPARED)
      const calibration = (await readCalibrations(transaction, [{ workspaceId, model }]))({ workspaceId, model })
      const better = betterPlaces(signals, model, calibration).filter(
        ({ before, anchor }) => before.node_id !== anchor.node_id,
      )
      const released = better.filter(({ anchor }) => anchor.node_id === null).length
      const placed = better.filter(({ before }) => before.node_id === null).length
      return { data: { compared: signals.length, moved: better.length - released - placed, placed, released } }
    }),
})
