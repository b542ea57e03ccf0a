import { Type } from 'typebox'

/** From which chance on pairs are proposed in a workspace. */
export const BarShape = Type.Object({
  chance: Type.Number({ description: 'From which chance on pairs are proposed, 0 to 1.' }),
  raised: Type.Boolean({ description: 'There are less likely pairs, which people may ask for.' }),
  set_aside: Type.Integer({ description: 'How many: show_less_likely brings the next of them.' }),
  learned_from: Type.Integer({ description: 'Decisions of this workspace that correct its chances.' }),
})
