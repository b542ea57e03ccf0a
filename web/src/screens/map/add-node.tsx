import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { notifyDone } from '../../shell/notify.tsx'
import { NodeForm } from './node-form.tsx'
import type { OutlinedNode } from './outline.ts'
import { ParentSelect } from './parent-select.tsx'
import { MAP_READS } from './use-map-changes.ts'

const NOTHING = { name: '', description: '', examples: [] }

interface Props {
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  /** The node that it is to go below; null is the top. */
  readonly below: string | null
  readonly onAdded: (id: string) => void
  readonly onClose: () => void
}

/** A new part of the product. Signals that are nearest to it move there in the background. */
export const AddNode = ({ nodes, below, onAdded, onClose }: Props) => {
  const [parent_id, setParent] = useState(below)
  const adding = useChange('add_map_node', {
    invalidates: MAP_READS,
    onSuccess: ({ id, name }) => {
      notifyDone(`“${name}” is on the map. Signals are anchored again in the background.`)
      onAdded(id)
    },
  })
  return (
    <Modal opened onClose={onClose} title="Add a node" size="lg">
      <NodeForm
        texts={NOTHING}
        action="Add node"
        pending={adding.isPending}
        error={adding.error}
        onSubmit={({ name, description, examples }) =>
          adding.mutate({ name, description, examples: [...examples], parent_id })
        }
        onCancel={onClose}
      >
        <ParentSelect label="Parent" nodes={nodes} value={parent_id} onChange={setParent} />
      </NodeForm>
    </Modal>
  )
}
