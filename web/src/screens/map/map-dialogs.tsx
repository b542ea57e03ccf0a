import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/operations.ts'
import { counted, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog, ChangeModal, Confirm } from '../../parts/change-dialog.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { notifyDone } from '../../shell/notify.tsx'
import { AddNodes } from './add-nodes.tsx'
import { NodeForm, useNodeForm } from './node-form.tsx'
import { type Branch, findBranch, idsOf, type OutlinedNode } from './outline.ts'
import { ParentSelect } from './parent-select.tsx'
import { MAP_READS, useMapChanges } from './use-map-changes.ts'

/** What somebody wants to do with a node; `add` is below it, or at the top for null. */
export type OpenDialog =
  | { readonly what: 'add'; readonly id: string | null; readonly several?: true }
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
    if (dialog.several) return <AddSeveral nodes={nodes} below={dialog.id} onClose={onClose} />
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
  const { id, version, parent_id } = branch.node
  const form = useForm({
    name: `move node ${id}`,
    labels: { parent_id: t('Parent') },
    now: { version, values: { parent_id } },
    words: (_, value) => (value === null ? t('Top level') : (nodes.get(String(value))?.name ?? t('(removed)'))),
  })
  const parent = form.values.parent_id
  return (
    <ChangeDialog
      opened
      title={<bdi>{t('Move “{name}”', { name: branch.node.name })}</bdi>}
      action={t('Move')}
      // It is sent once the dialog is closed.
      change={null}
      form={form}
      missing={parent === branch.node.parent_id ? t('another parent') : null}
      onSubmit={() => {
        form.forget()
        onMove(parent)
      }}
      onClose={onClose}
    >
      <ParentSelect
        takesFocus
        label={t('Parent')}
        nodes={nodes}
        without={idsOf(branch)}
        value={parent}
        onChange={chosen => form.write({ parent_id: chosen })}
      />
      <Text size="sm" c="dimmed">
        {t('What is below it and what is anchored to it go with it.')}
      </Text>
    </ChangeDialog>
  )
}

const NOTHING = { version: undefined, values: { name: '', description: '', examples: [] } }

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
  const name = `new node below ${below}`
  const form = useNodeForm(name, NOTHING)
  const adding = useChange('add_map_node', {
    draft: name,
    invalidates: MAP_READS,
    onSuccess: ({ id, name }) => {
      notifyDone(t('“{name}” is on the map. Signals that it fits better move to it in the background.', { name }))
      onAdded(id)
    },
  })
  return (
    <ChangeModal opened onClose={onClose} title={t('Add a node')} size="lg" change={adding} form={form}>
      <NodeForm
        form={form}
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

/** Several new parts of the product below one. */
const AddSeveral = ({ nodes, below, onClose }: Omit<AddNodeProps, 'onAdded'>) => {
  const [parent_id, setParent] = useState(below)
  const parent = <ParentSelect label={t('Parent')} nodes={nodes} value={parent_id} onChange={setParent} />
  return <AddNodes parent={parent} parentId={parent_id} onClose={onClose} />
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
  const form = useForm({
    name: `remove node ${node.id}`,
    labels: { name: t('Name'), signals: t('Signals'), metrics: t('Metrics') },
    now: {
      version: node.version,
      values: { name: node.name, signals: node.signals, metrics: node.metrics.map(({ name }) => name) },
    },
    isWhole: true,
  })
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
      form={form}
      onConfirm={() => removing.mutate({ id: node.id, ...form.expected, ...below })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {node.metrics.length === 0
            ? rich('{bdi} is removed with its texts. This cannot be undone.', { bdi: <bdi>“{node.name}”</bdi> })
            : rich(
                plural(
                  node.metrics.length,
                  '{bdi} is removed with its texts and {number} metric binding; the metric’s points stay. This cannot be undone.',
                  '{bdi} is removed with its texts and {number} metric bindings; the metrics’ points stay. This cannot be undone.',
                ),
                { bdi: <bdi>“{node.name}”</bdi> },
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
            label={plural(
              children.length,
              'Move the {number} node directly below it to',
              'Move the {number} nodes directly below it to',
            )}
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
