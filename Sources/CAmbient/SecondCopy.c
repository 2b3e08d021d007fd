// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CAmbient.h"

#include <string.h>

#ifdef __linux__
#include <link.h>
#endif

#include "Visibility.h"

#ifdef __linux__
// An ELF note (elf(5)), which is in each image that has a copy of this module. A copy finds the
// other copies by their notes, so the copies need no common symbol.
//
// Readers walk from note to note, so the address sanitizer must put no redzone between the notes.
__attribute__((section(".note.ambient"), used, aligned(4), no_sanitize("address")))
static const struct {
  ElfW(Nhdr) head;
  char name[8];
} copy_note = {
    {8, 0, 1}, "Ambient"};

struct copies {
  char *earlier, *own;
  size_t size;
  _Bool found_earlier;
};

static void keep_path(char *place, const char *path, size_t size) {
  strncpy(place, path, size - 1);
  place[size - 1] = 0;
}

// Looks for notes like `copy_note` in one image. Returns 1 if it finds `copy_note` itself, so that
// dl_iterate_phdr(3) visits no further images.
static int look_for_copy(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  struct copies *copies = context;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type != PT_NOTE || part->p_align > 4) continue;
    const char *note = (const char *)(image->dlpi_addr + part->p_vaddr);
    const char *end = note + part->p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
      if (note == (const char *)&copy_note) {
        keep_path(copies->own, image->dlpi_name, copies->size);
        return 1;
      }
      if (head->n_namesz == 8 && memcmp(note + sizeof(*head), copy_note.name, 8) == 0 &&
          !copies->found_earlier) {
        copies->found_earlier = 1;
        keep_path(copies->earlier, image->dlpi_name, copies->size);
      }
      // Name and description are padded to multiples of four bytes.
      note += sizeof(*head) + ((head->n_namesz + 3) & ~3u) + ((head->n_descsz + 3) & ~3u);
    }
  }
  return 0;
}
#endif

OWN _Bool ambient_find_earlier_copy(char *earlier, char *own, size_t size) {
#ifdef __linux__
  struct copies copies = {earlier, own, size, 0};
  // dl_iterate_phdr(3) returns zero if `look_for_copy` finds `copy_note` in no image. In that case,
  // the note was stripped from the caller's image, and it is unknown which copy was loaded first.
  return dl_iterate_phdr(look_for_copy, &copies) && copies.found_earlier;
#else
  (void)earlier, (void)own, (void)size;
  return 0;
#endif
}
