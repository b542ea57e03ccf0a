import { Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/telling-button.tsx'
import { readViews, type StoredView, storeViews, withoutView, withView } from './stored-views.ts'

const MAX_CHARACTERS = 60

/** Views by name. A view is an address, so a link shares it; the names are this browser’s. */
export const SavedViews = () => {
  const { search } = useLocation()
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
