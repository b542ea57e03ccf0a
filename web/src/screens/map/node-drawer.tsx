import { Button, Drawer, Group, Text, Title } from '@mantine/core'
import { IconArrowsMove, IconChartBar, IconFocus2, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useDraft } from '../../api/drafts.ts'
import { type Input, useChange, useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { unlessBeneath } from '../../parts/beneath.ts'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyUndoable } from '../../shell/notify.tsx'
import classes from './node.module.css'
import { NodeEvidence } from './node-evidence.tsx'
import { NodeForm, useNodeForm } from './node-form.tsx'
import { NodeMetrics } from './node-metrics.tsx'
import { MAP_READS } from './use-map-changes.ts'
import { readTexts, useNode } from './use-node.ts'

interface Props {
  readonly id: string
  readonly canEdit: boolean
  readonly onClose: () => void
  readonly onAddBelow: () => void
  readonly onMove: () => void
  readonly onRemove: () => void
  /** Shows only this part of the map. */
  readonly onZoom: () => void
}

/** All of one node: what people wrote, its metrics, and its evidence. */
export const NodeDrawer = ({ id, canEdit, onClose, onAddBelow, onMove, onRemove, onZoom }: Props) => {
  const [begun, setEditing] = useState(false)
  const [draft] = useDraft(draftOf(id))
  const editing = begun || draft !== null
  const reading = useNode(id, 'signals')
  const { first, error, refetch } = reading
  return (
    <Drawer
      opened
      onClose={unlessBeneath(onClose)}
      position="right"
      size="lg"
      title={
        <Text component="bdi" fw={620} fz="lg" className="anywhere">
          {first?.node.name ?? t('Node')}
        </Text>
      }
    >
      {first === undefined && (error === null ? <LoadingState /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && (
        <>
          <div className={classes.path}>
            <bdi>{first.node.path.join(' / ')}</bdi>
          </div>
          <Group gap="xs" mt="sm" mb="md">
            {canEdit && (
              <>
                <Action icon={IconPencil} label={t('Edit')} onClick={() => setEditing(true)} />
                <Action icon={IconPlus} label={t('Add child')} onClick={onAddBelow} />
                <Action icon={IconArrowsMove} label={t('Move')} onClick={onMove} />
                <Action icon={IconTrash} label={t('Remove')} onClick={onRemove} />
              </>
            )}
            {first.node.children > 0 && <Action icon={IconFocus2} label={t('Show only this part')} onClick={onZoom} />}
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={exploreAddress(id)}
              leftSection={<IconChartBar size={14} />}
            >
              {t('Explore')}
            </Button>
          </Group>
          {editing ? (
            <EditNode id={id} onDone={() => setEditing(false)} />
          ) : (
            <NodeAbout description={first.node.description} examples={first.node.examples} />
          )}
          <NodeMetrics id={id} metrics={first.node.metrics} canEdit={canEdit} />
          <NodeEvidence id={id} of={reading} />
        </>
      )}
    </Drawer>
  )
}

/** What was anchored to the node, day by day. */
const exploreAddress = (id: string): string => {
  const filters = [
    { field: 'step', op: 'in', values: ['insert'] },
    { field: 'outcome', op: 'in', values: ['next'] },
    { field: 'node', op: 'in', values: [id] },
  ]
  return `/app/explore?filters=${encodeURIComponent(JSON.stringify(filters))}`
}

interface ActionProps {
  readonly icon: typeof IconPlus
  readonly label: string
  readonly onClick: () => void
}

const Action = ({ icon: Icon, label, onClick }: ActionProps) => (
  <Button size="xs" variant="default" leftSection={<Icon size={14} />} onClick={onClick}>
    {label}
  </Button>
)

interface AboutProps {
  readonly description: string
  readonly examples: readonly string[]
}

const NodeAbout = ({ description, examples }: AboutProps) => (
  <>
    {description === '' ? (
      <Text size="sm" c="dimmed">
        {t('No description.')}
      </Text>
    ) : (
      <Text component="div" size="sm">
        <Quote text={description} />
      </Text>
    )}
    {examples.length > 0 && (
      <>
        <Title order={3} mt="lg" mb="xs">
          {t('Other names and examples')}
        </Title>
        <ul className={classes.list}>
          {examples.map(example => (
            <Text component="li" key={example} size="sm" mb="xs">
              <Quote text={example} most={150} />
            </Text>
          ))}
        </ul>
      </>
    )}
  </>
)

interface EditNodeProps {
  readonly id: string
  readonly onDone: () => void
}

const draftOf = (id: string): string => `edit node ${id}`

/** A node’s name, description and examples: what was changed of them is sent. */
const EditNode = ({ id, onDone }: EditNodeProps) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['lookup_node', { id }, 'texts'],
    queryFn: ({ signal }) => readTexts(id, signal),
  })
  if (data === undefined)
    return error === null ? <LoadingState rows={3} height={48} /> : <ErrorState error={error} retry={refetch} />
  return <NodeTextsForm id={id} texts={data} onDone={onDone} />
}

interface NodeTextsFormProps extends EditNodeProps {
  /** As they are now. */
  readonly texts: Awaited<ReturnType<typeof readTexts>>
}

const NodeTextsForm = ({ id, texts: { version, ...values }, onDone }: NodeTextsFormProps) => {
  const form = useNodeForm(draftOf(id), { version, values })
  const close = () => {
    form.forget()
    onDone()
  }
  const undoing = useChange('undo_change', { invalidates: MAP_READS })
  const updating = useWrite((input: Input<'update_map_node'>, once) => once('update_map_node', input), {
    invalidates: MAP_READS,
    onSuccess: ({ meta: { change_id } }) => {
      const saved = t('Saved. Signals that it fits better move to it in the background.')
      if (change_id == null) notifyDone(saved)
      else notifyUndoable(saved, () => undoing.mutateAsync({ change_id }))
      close()
    },
  })
  return (
    <NodeForm
      form={form}
      action={t('Save')}
      change={updating}
      onSubmit={(_, { examples, ...changes }) => {
        if (examples === undefined && Object.keys(changes).length === 0) close()
        else updating.mutate({ id, ...changes, ...(examples && { examples: [...examples] }), ...form.expected })
      }}
      onCancel={onDone}
    />
  )
}
