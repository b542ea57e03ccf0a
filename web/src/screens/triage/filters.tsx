import { Button, Menu, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { CHANNELS, CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { OWNERS } from '../../parts/badges.tsx'
import { ABOUT_CUSTOMERS, customerChoices, type Facts, isTold } from '../../parts/customer-facts.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { later } from '../../parts/later.tsx'
import { readViews, type StoredView, searchOfView, storeViews, type View, withoutView, withView } from './view.ts'

const NameView = later(
  loadPart(() => import('./dialogs.tsx')),
  dialogs => dialogs.NameView,
)

interface Props {
  readonly view: View
  readonly sources: readonly string[]
  readonly facts: Facts | undefined
  readonly onChange: (view: Partial<View>) => void
}

/** What is listed, by everything that the pipeline knows of a Signal. */
export const Filters = ({ view, sources, facts, onChange }: Props) => {
  const { data: map } = useOperation('read_map', { limit: MAX_LIMIT })
  const nodes = (map?.items ?? []).map(({ path }) => ({ value: path.join('/'), label: path.join(' / ') }))
  const orders = ORDERS.filter(
    ({ value }) => value === view.order || (value === 'revenue' ? facts?.revenue === true : isTold(facts, value)),
  )
  return (
    <FilterBar
      width={112}
      search={{ label: t('Search signals'), value: view.text, onChange: text => onChange({ text }) }}
      choices={[
        {
          label: t('Classification'),
          value: view.classification,
          options: CLASSIFICATIONS,
          onChange: classification => onChange({ classification }),
        },
        {
          label: t('Claim'),
          value: view.claim,
          options: [
            { value: 'with', label: t('With a claim') },
            { value: 'without', label: t('Without a claim') },
          ],
          onChange: claim => onChange({ claim }),
        },
        // A theme's page leads here: the list of all themes is read there alone.
        ...(view.theme === ''
          ? []
          : [
              {
                label: t('Theme'),
                value: view.theme,
                options: named([], view.theme),
                onChange: (theme: string) => onChange({ theme }),
              },
            ]),
        { label: t('Node'), value: view.node, options: named(nodes, view.node), onChange: node => onChange({ node }) },
        {
          label: t('Source'),
          value: view.source,
          options: named(
            sources.map(source => ({ value: source, label: source })),
            view.source,
          ),
          onChange: source => onChange({ source }),
        },
        { label: t('Channel'), value: view.channel, options: CHANNELS, onChange: channel => onChange({ channel }) },
        { label: t('Owner [filter]'), value: view.owner, options: OWNERS, onChange: owner => onChange({ owner }) },
      ]}
      more={{
        ...ABOUT_CUSTOMERS,
        choices: [
          ...customerChoices(facts, view, onChange),
          ...(orders.length === 0
            ? []
            : [
                {
                  label: t('Order [of a list]'),
                  value: view.order,
                  options: orders,
                  onChange: (order: string) => onChange({ order }),
                },
              ]),
        ],
      }}
    />
  )
}

/** Beside the newest first: by what is told of customers, where something is. */
const ORDERS = [
  { value: 'account', label: t('By company') },
  { value: 'plan', label: t('By plan') },
  { value: 'language', label: t('By language') },
  { value: 'revenue', label: t('By revenue') },
] as const

/** What the address names is offered even where the list does not have it. */
const named = (options: readonly { readonly value: string; readonly label: string }[], value: string) =>
  value === '' || options.some(option => option.value === value) ? options : [...options, { value, label: value }]

/** Views by name. A view is an address, so a link shares it; the names are this browser’s. */
export const SavedViews = () => {
  const search = searchOfView(useLocation().search)
  const navigate = useNavigate()
  const [views, setViews] = useState(() => readViews(localStorage))
  const [naming, setNaming] = useState(false)
  const keep = (next: readonly StoredView[]) => {
    storeViews(localStorage, next)
    setViews(next)
  }
  const current = views.find(view => view.search === search && search !== '')
  return (
    <>
      <Menu width={240} position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            maw={140}
            leftSection={<IconBookmark size={14} aria-hidden />}
          >
            <Text component="bdi" size="xs" truncate>
              {current?.name ?? t('Views')}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{t('Filters that you save are listed here.')}</Menu.Label>}
          {views.map(view => (
            <Menu.Item key={view.name} onClick={() => navigate({ search: view.search })}>
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {search !== '' && <Menu.Item onClick={() => setNaming(true)}>{t('Save this view…')}</Menu.Item>}
          {current !== undefined && (
            <Menu.Item color="red" onClick={() => keep(withoutView(views, current.name))}>
              {t('Delete this view')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && <NameView onName={name => keep(withView(views, { name, search }))} onClose={() => setNaming(false)} />}
    </>
  )
}
