import { Anchor, Box, Breadcrumbs, Button, Grid, Group, Progress, Text } from '@mantine/core'
import { IconBinaryTree2, IconMapPin, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type Output, operationKey, useCanEdit, useOperation } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { later } from '../../parts/later.tsx'
import { Page, PageHeader, useRoomForEditing } from '../../parts/page.tsx'
import { SearchField, useTyped } from '../../parts/search-field.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useHistorySheet, useUrlState } from '../../parts/use-url-state.ts'
import type { OpenDialog } from './map-dialogs.tsx'
import { MapTree } from './map-tree.tsx'
import { METRIC_TRENDS, type MetricTrend } from './metric-trend.ts'
import { NodeDrawer } from './node-drawer.tsx'
import { branchesOf, findBranch, lineTo } from './outline.ts'
import classes from './treemap.module.css'
import { Treemap } from './treemap.tsx'

const DEFAULTS = { node: '', within: '', find: '', places: '' }
/** While evidence moves, and otherwise. */
const REFRESH_MS = { moving: 4000, still: 30_000 }

const MapDialogs = later(
  loadPart(() => import('./map-dialogs.tsx')),
  dialogs => dialogs.MapDialogs,
)

const ProposedPlaces = later(
  loadPart(() => import('./proposed-places.tsx')),
  parts => parts.ProposedPlaces,
)

/** The taxonomy of the product: as a picture, as a tree, and each node with its evidence and metrics. */
const ProductMap = () => {
  const [{ node, within, find, places }, change] = useUrlState(DEFAULTS)
  const field = useTyped(find, written => change({ find: written }))
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const { hasRoom, unseen } = useRoomForEditing()
  const job = useReAnchoring()
  const refresh_ms = job === null ? REFRESH_MS.still : REFRESH_MS.moving
  const { data, error, refetch } = useOperation('outline_map', {}, { refresh_ms })
  const items = data?.items
  const nodes = useMemo(() => new Map(items?.map(each => [each.id, each])), [items])
  const branches = useMemo(() => branchesOf(items ?? []), [items])
  const part = within === '' ? null : findBranch(branches, within)
  const shown = useMemo(() => (part === null ? branches : [part]), [part, branches])
  const sheet = useHistorySheet('node')
  const choose = (id: string) => (node === '' ? sheet.open({ node: id }) : change({ node: id }))
  // Who came by an address of the node has nothing to go back to.
  const closeNode = () => (sheet.opened ? sheet.close() : change({ node: '' }))
  const add = (below: string | null) => setDialog({ what: 'add', id: below })
  const addSeveral = () => setDialog({ what: 'add', id: part?.node.id ?? null, several: true })
  return (
    <Page width="full">
      <PageHeader
        title={t('Map')}
        tab={nodes.get(node)?.name ?? t('Map')}
        about={t('The parts of your product. Each signal is anchored to the part that it is about.')}
      >
        {hasRoom && (
          <>
            <Button
              size="sm"
              leftSection={<IconPlus size={16} />}
              onClick={() => add(part?.node.id ?? null)}
              {...unseen}
            >
              {t('Add node')}
            </Button>
            <Button size="sm" variant="default" leftSection={<IconPlus size={16} />} onClick={addSeveral} {...unseen}>
              {t('Several nodes')}
            </Button>
          </>
        )}
        {/* Its place is kept while the map is read, so that the other buttons stay where they are. */}
        {data?.count !== 0 && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconMapPin size={16} />}
            onClick={() => change({ places: places === '' ? 'likely' : '' })}
          >
            {places === '' ? t('Likely places') : t('The map')}
          </Button>
        )}
      </PageHeader>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <LoadingState rows={8} height={40} />}
      {data !== undefined && data.count === 0 && (
        <EmptyState icon={IconBinaryTree2} title={t('The map is empty')}>
          {t('Add the parts of your product. Signals that are here already find their part in the background.')}
          {canEdit && (
            <div>
              <Button mt="md" onClick={() => add(null)}>
                {t('Add the first node')}
              </Button>{' '}
              <Button mt="md" variant="default" onClick={addSeveral}>
                {t('Several nodes')}
              </Button>
            </div>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.count > 0 && places !== '' && <ProposedPlaces />}
      {data !== undefined && data.count > 0 && places === '' && (
        <>
          {job !== null && <ReAnchoring job={job} />}
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 4, xl: 3 }} order={{ base: 2, md: 1 }}>
              <SearchField mb="sm" label={t('Find a node')} field={field} />
              <MapTree
                branches={shown}
                nodes={nodes}
                find={find}
                chosen={node}
                canEdit={canEdit}
                onChoose={choose}
                onOpenDialog={setDialog}
              />
              {data.count > data.items.length && (
                <Text size="xs" c="dimmed" mt="sm">
                  {t('{items} of {count} nodes are shown.', {
                    items: data.items.length.toLocaleString(language),
                    count: data.count.toLocaleString(language),
                  })}
                </Text>
              )}
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8, xl: 9 }} order={{ base: 1, md: 2 }}>
              {part !== null && (
                <Breadcrumbs mb="sm" separatorMargin="xs" aria-label={t('The part that is shown')}>
                  <Anchor component="button" type="button" size="sm" onClick={() => change({ within: '' })}>
                    {t('Whole map')}
                  </Anchor>
                  {lineTo(nodes, part.node.id).map(each => (
                    <Anchor
                      key={each.id}
                      component="button"
                      type="button"
                      size="sm"
                      onClick={() => change({ within: each.id })}
                    >
                      <bdi>{each.name}</bdi>
                    </Anchor>
                  ))}
                </Breadcrumbs>
              )}
              <Treemap branches={shown} chosen={node} onChoose={choose} />
              <Legend />
            </Grid.Col>
          </Grid>
        </>
      )}
      {node !== '' && (
        <NodeDrawer
          key={node}
          id={node}
          canEdit={canEdit}
          onClose={closeNode}
          onAddBelow={() => add(node)}
          onMove={() => setDialog({ what: 'move', id: node })}
          onRemove={() => setDialog({ what: 'remove', id: node })}
          onZoom={() => change({ node: '', within: node })}
        />
      )}
      {dialog !== null && (
        <MapDialogs
          dialog={dialog}
          branches={branches}
          nodes={nodes}
          onClose={() => setDialog(null)}
          // From the tree several are added one after the other: no drawer comes between them.
          onAdded={id => node !== '' && choose(id)}
          onRemoved={closeNode}
        />
      )}
    </Page>
  )
}

export default ProductMap

/** What the colours of the picture say. */
const Legend = () => (
  <Group
    component="ul"
    gap="md"
    m={0}
    mt="sm"
    p={0}
    aria-label={t('Colours: newest metric point against the one before')}
  >
    {Object.entries(METRIC_TRENDS).map(([trend, { sign, label }]) => (
      <Group component="li" key={trend} gap={6} wrap="nowrap">
        {/* The keys of `STANDINGS` are what `Standing` lists. */}
        <Box className={classes.swatch ?? ''} data-standing={trend as MetricTrend} aria-hidden />
        <Text size="xs" c="dimmed">
          {label}
          <span aria-hidden="true"> {sign}</span>
        </Text>
      </Group>
    ))}
  </Group>
)

const JOB_REFRESH_MS = 4000

type Job = Output<'list_jobs'>['items'][number]

/**
 * The job that anchors the Signals again after a change of the map; null while none runs. When it ends, the map is read
 * again.
 */
const useReAnchoring = (): Job | null => {
  const queries = useQueryClient()
  const running = { job_kind: 're_anchor', job_state: 'running', limit: 1 } as const
  const { data } = useOperation('list_jobs', running, { refresh_ms: JOB_REFRESH_MS })
  const job = data?.items[0] ?? null
  const isOver = job === null
  useEffect(() => {
    if (isOver) queries.invalidateQueries({ queryKey: operationKey('outline_map') })
  }, [isOver, queries])
  return job
}

/** How far that job is. */
const ReAnchoring = ({ job: { done, total } }: { readonly job: Job }) => (
  <div role="status">
    <Text size="xs" c="dimmed" mb="xs">
      {total === null
        ? t('Signals are being anchored again.')
        : t('Signals are being anchored again: {done} of {total}.', {
            done: done.toLocaleString(language),
            total: total.toLocaleString(language),
          })}
    </Text>
    <Progress
      size="xs"
      mb="md"
      aria-label={t('Signals anchored again')}
      value={total === null || total === 0 ? 0 : (done / total) * 100}
    />
  </div>
)
