import { Type } from 'typebox'

/** From which chance on pairs are proposed in a workspace. */
export const BarShape = Type.Object({
  chance: Type.Number({ description: 'From which chance on pairs are proposed, 0 to 1.' }),
  raised: Type.Boolean({ description: 'More pairs came than people settled; it falls as they do.' }),
  set_aside: Type.Integer({ description: 'Pairs that wait out of sight until then.' }),
  learned_from: Type.Integer({ description: 'Decisions of this workspace that correct its chances.' }),
})
