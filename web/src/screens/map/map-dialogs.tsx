import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/operations.ts'
import { counted, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog, ChangeModal, Confirm } from '../../parts/change-dialog.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { NodeForm } from './node-form.tsx'
import { type Branch, findBranch, idsOf, type OutlinedNode, pathTo } from './outline.ts'
import { MAP_READS, useMapChanges } from './use-map-changes.ts'

/** What somebody wants to do with a node; `add` is below it, or at the top for null. */
export type OpenDialog =
  | { readonly what: 'add'; readonly id: string | null }
  | { readonly what: 'move' | 'remove'; readonly id: string }

interface Props {
  readonly dialog: OpenDialog | null
  readonly branches: readonly Branch[]
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onClose: () => void
  readonly onAdded: (id: string) => void
  readonly onRemoved: () => void
}

/** The one dialog that is open, if any. */
export const MapDialogs = ({ dialog, branches, nodes, onClose, onAdded, onRemoved }: Props) => {
  const changes = useMapChanges()
  if (dialog === null) return null
  if (dialog.what === 'add') {
    const added = (id: string) => {
      onClose()
      onAdded(id)
    }
    return <AddNode nodes={nodes} below={dialog.id} onAdded={added} onClose={onClose} />
  }
  const branch = findBranch(branches, dialog.id)
  if (branch === null) return null
  if (dialog.what === 'move') {
    const move = (parent: string | null) => {
      onClose()
      changes.move(branch.node, parent)
    }
    return <MoveNode branch={branch} nodes={nodes} onMove={move} onClose={onClose} />
  }
  const removed = () => {
    onClose()
    onRemoved()
  }
  return <RemoveNode branch={branch} nodes={nodes} onRemoved={removed} onClose={onClose} />
}

interface MoveNodeProps {
  readonly branch: Branch
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onMove: (parent: string | null) => void
  readonly onClose: () => void
}

/** Puts a node below another, by keyboard as well as by mouse. */
const MoveNode = ({ branch, nodes, onMove, onClose }: MoveNodeProps) => {
  const [parent, setParent] = useState(branch.node.parent_id)
  return (
    <ChangeDialog
      opened
      title={<bdi>{t('Move “{name}”', { name: branch.node.name })}</bdi>}
      action={t('Move')}
      // It is sent once the dialog is closed.
      change={null}
      missing={parent === branch.node.parent_id ? t('another parent') : null}
      onSubmit={() => onMove(parent)}
      onClose={onClose}
    >
      <ParentSelect
        takesFocus
        label={t('Parent')}
        nodes={nodes}
        without={idsOf(branch)}
        value={parent}
        onChange={setParent}
      />
      <Text size="sm" c="dimmed">
        {t('What is below it and what is anchored to it go with it.')}
      </Text>
    </ChangeDialog>
  )
}

const NOTHING = { name: '', description: '', examples: [] }

interface AddNodeProps {
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  /** The node that it is to go below; null is the top. */
  readonly below: string | null
  readonly onAdded: (id: string) => void
  readonly onClose: () => void
}

/** A new part of the product. Signals that are nearest to it move there in the background. */
const AddNode = ({ nodes, below, onAdded, onClose }: AddNodeProps) => {
  const [parent_id, setParent] = useState(below)
  const adding = useChange('add_map_node', {
    invalidates: MAP_READS,
    onSuccess: ({ id, name }) => {
      notifyDone(t('“{name}” is on the map. Signals that it fits better move to it in the background.', { name }))
      onAdded(id)
    },
  })
  return (
    <ChangeModal opened onClose={onClose} title={t('Add a node')} size="lg" change={adding}>
      <NodeForm
        texts={NOTHING}
        action={t('Add node')}
        change={adding}
        onSubmit={({ name, description, examples }) =>
          adding.mutate({ name, description, examples: [...examples], parent_id })
        }
        onCancel={onClose}
      >
        <ParentSelect label={t('Parent')} nodes={nodes} value={parent_id} onChange={setParent} />
      </NodeForm>
    </ChangeModal>
  )
}

interface RemoveNodeProps {
  readonly branch: Branch
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Asks before a node goes, and says what becomes of its evidence and of what is below it. */
const RemoveNode = ({ branch, nodes, onRemoved, onClose }: RemoveNodeProps) => {
  const { node, children } = branch
  const [parent, setParent] = useState(node.parent_id)
  const removing = useChange('remove_map_node', {
    invalidates: MAP_READS,
    onSuccess: ({ removed, unanchored_signals }) => {
      notifyDone(
        plural(
          unanchored_signals,
          '“{name}” is removed; {number} signal is anchored again in the background.',
          '“{name}” is removed; {number} signals are anchored again in the background.',
          { name: removed.name },
        ),
      )
      onRemoved()
    },
  })
  const below = children.length > 0 ? { children: 'move' as const, parent_id: parent } : {}
  return (
    <Confirm
      opened
      title={t('Remove this node?')}
      action={t('Remove node')}
      change={removing}
      onConfirm={() => removing.mutate({ id: node.id, version: node.version, ...below })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {node.metrics.length === 0
            ? rich('{bdi} goes with its texts. This cannot be undone.', { bdi: <bdi>“{node.name}”</bdi> })
            : rich(
                '{bdi} goes with its texts and {metrics} metric binding(s); the metrics’ points stay. This cannot be undone.',
                { bdi: <bdi>“{node.name}”</bdi>, metrics: node.metrics.length },
              )}
        </Text>
        <Text size="sm">
          {node.signals === 0
            ? t('No signal is anchored to it.')
            : t('{signals} anchored to it will stay, each anchored to the node that is nearest then, or to none.', {
                signals: counted(node.signals, 'signal'),
              })}
        </Text>
        {children.length > 0 && (
          <ParentSelect
            label={t('{children} node(s) right below it go below', { children: children.length })}
            nodes={nodes}
            without={idsOf(branch)}
            value={parent}
            onChange={setParent}
          />
        )}
      </Stack>
    </Confirm>
  )
}

interface ParentSelectProps {
  readonly label: string
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  /** Nodes that it cannot be: the one that is placed, and what is below it. */
  readonly without?: readonly string[]
  /** Whether a dialog begins with it. */
  readonly takesFocus?: boolean
  /** Null: the top. */
  readonly value: string | null
  readonly onChange: (parent: string | null) => void
}

const TOP = ''

/** Where in the map something goes, by its path. */
const ParentSelect = ({ label, nodes, without = [], takesFocus = false, value, onChange }: ParentSelectProps) => {
  const refused = new Set(without)
  const paths = [...nodes.keys()].filter(id => !refused.has(id)).map(id => ({ value: id, label: pathTo(nodes, id) }))
  return (
    <Select
      label={label}
      searchable
      {...(takesFocus && { 'data-autofocus': true })}
      allowDeselect={false}
      limit={200}
      nothingFoundMessage={t('No node of that name.')}
      data={[{ value: TOP, label: t('Top level') }, ...paths]}
      value={value ?? TOP}
      onChange={chosen => onChange(chosen === null || chosen === TOP ? null : chosen)}
    />
  )
}
