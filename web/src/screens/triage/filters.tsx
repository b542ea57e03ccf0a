import { Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconBookmark } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { CHANNELS, CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { OWNERS } from '../../parts/badges.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { readViews, type StoredView, searchOfView, storeViews, type View, withoutView, withView } from './view.ts'

const TYPING_MS = 250

interface Props {
  readonly view: View
  readonly sources: readonly string[]
  readonly onChange: (view: Partial<View>) => void
}

/** What is listed, by everything that the pipeline knows of a Signal. */
export const Filters = ({ view, sources, onChange }: Props) => {
  const { data: map } = useOperation('read_map', { limit: MAX_LIMIT })
  const [typed, setTyped] = useState(view.text)
  useEffect(() => setTyped(view.text), [view.text])
  const search = useDebouncedCallback((text: string) => onChange({ text: text.trim() }), TYPING_MS)
  const nodes = (map?.items ?? []).map(({ path }) => ({ value: path.join('/'), label: path.join(' / ') }))
  return (
    <FilterBar
      width={118}
      search={{
        label: t('Search signals'),
        value: typed,
        onChange: text => {
          setTyped(text)
          search(text)
          // At once with the other filters, where all of them are cleared: the cursor finds its line in what is left.
          if (text === '') search.flush()
        },
      }}
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
        { label: t('Owner'), value: view.owner, options: OWNERS, onChange: owner => onChange({ owner }) },
      ]}
    />
  )
}

/** What the address names is offered even where the list does not have it. */
const named = (options: readonly { readonly value: string; readonly label: string }[], value: string) =>
  value === '' || options.some(option => option.value === value) ? options : [...options, { value, label: value }]

const MAX_CHARACTERS = 60

/** Views by name. A view is an address, so a link shares it; the names are this browser’s. */
export const SavedViews = () => {
  const search = searchOfView(useLocation().search)
  const navigate = useNavigate()
  const [views, setViews] = useState(() => readViews(localStorage))
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const keep = (next: readonly StoredView[]) => {
    storeViews(localStorage, next)
    setViews(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep(withView(views, { name: name.trim(), search }))
    setNaming(false)
    setName('')
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
      <Modal opened={naming} onClose={() => setNaming(false)} title={t('Save this view')}>
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end">
            <TextInput
              label={t('Name')}
              flex={1}
              required
              withAsterisk={false}
              maxLength={MAX_CHARACTERS}
              value={name}
              onChange={event => setName(event.currentTarget.value)}
              data-autofocus
            />
            <TellingButton type="submit" missing={name.trim() === '' ? t('Write a name first.') : null}>
              {t('Save')}
            </TellingButton>
          </Group>
        </form>
      </Modal>
    </>
  )
}
