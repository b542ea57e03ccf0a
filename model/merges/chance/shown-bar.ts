import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { countSetAside, LEAST_CHANCE, readBars } from '../../workspaces/proposal-bar.ts'
import { corrected } from './correction.ts'

/** What the people of a workspace are told about their bar. */
export interface ShownBar {
  /** The chance from which on pairs are proposed, as the workspace's decisions correct it. */
  readonly chance: number
  /** There are pairs below it that people may ask for. */
  readonly raised: boolean
  /** How many they are. */
  readonly set_aside: number
  /** How many of the workspace's own decisions correct the chances. */
  readonly learned_from: number
}

export const readShownBar = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<ShownBar> => {
  const stored = (await readBars(transaction, [workspaceId])).get(workspaceId)
  const bar = stored?.bar ?? 0
  const chance = bar === 0 ? LEAST_CHANCE : Math.max(LEAST_CHANCE, corrected(bar, stored?.shift ?? 0))
  const setAside = await countSetAside(transaction, workspaceId)
  return { chance, raised: setAside > 0, set_aside: setAside, learned_from: stored?.learned_from ?? 0 }
}
