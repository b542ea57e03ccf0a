import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

// A node that is gone leaves no score. A signal that a person, an agent or an import placed stays there.
const RESTORE = `
  update signals set node_id = node.id, version = signals.version + 1,
    node_score = case when left_node_id is null or node.id is not null then left_node_score end
  from (select signals.id as signal_id, map_nodes.id from signals left join map_nodes on map_nodes.id = left_node_id
    where signals.workspace_id = $1 and left_node_at >= $2) as node
  where signals.id = node.signal_id
    and (node_id is null or node_id = any ($3::uuid[]) or left_node_id = any ($3::uuid[]))
    and not exists (select from node_lessons where node_lessons.signal_id = signals.id)`

/**
 * Puts the signals that the job `re_anchor` has moved since a change of these nodes, to one of them or away from one,
 * back to where they were. The caller has taken the change of the nodes back.
 */
export const restorePlaces = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { nodes, since }: { readonly nodes: readonly string[]; readonly since: Date },
): Promise<void> => {
  if (nodes.length > 0) await transaction.query(RESTORE, [workspaceId, since, nodes])
}
