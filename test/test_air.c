// SPDX-License-Identifier: MIT
// What is heard in the air: the pressure of a sphere that breathes, and the walls of a little room,
// against closed forms that are worked out here, in frequency and from the mirrors one by one.

#include "worlds.h"

#include <complex.h>

#define RATE 48000.0
#define PI 3.14159265358979323846
#define SOUND 343.2
#define DENSITY 1.204

/// A gram on a spring, heard as `quantity`; a second of it.
static void ring(double frequency, const JwPickupDef* ear, double* out, uint32_t count) {
  JwWorld* const world = new_world(RATE, false);
  JwMassDef mass = jw_mass_default();
  mass.mass = 1e-3, mass.frequency = frequency, mass.velocity = 1.0, mass.scheme = JW_SCHEME_EXACT;
  JwPickupDef pickup = *ear;
  MUST(world, jw_world_add_mass(world, &mass, &pickup.port.object));
  MUST(world, jw_world_add_pickup(world, &pickup, NULL));
  MUST(world, jw_world_prepare(world));
  MUST(world, jw_world_run_double(world, (double* const[]){out}, count));
  jw_world_destroy(world);
}

static double complex part(const double* x, uint32_t count, double frequency) {
  double complex sum = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double window = 1.0 - cos(2.0 * PI * (i + 0.5) / count);
    sum += window * x[i] * cexp(-2.0 * PI * I * frequency * i / RATE);
  }
  return sum / count;
}

// The bilinear rule warps f to tan(pi f/rate) rate/pi, by 3.7 % at 5 kHz, of which s/(1 + s) takes
// 1/|1 + s|; the Hann window and the finite second leave 1e-4.  The delay is a whole number of
// frames, of which 2.5 m are 349.65.
static void a_place_is_heard_as_a_sphere_that_breathes(void** state) {
  (void)state;
  enum { COUNT = 48000, SKIP = 4800, LATE = 350 };
  static double velocity[COUNT], pressure[COUNT];
  static const double frequencies[] = {20.0, 50.0, 100.0, 500.0, 2000.0, 5000.0};
  static const double sizes[] = {0.02, 0.1, 0.5};
  for (int f = 0; f < 6; ++f) {
    for (int s = 0; s < 3; ++s) {
      JwPickupDef ear = jw_pickup_default();
      ring(frequencies[f], &ear, velocity, COUNT);
      ear.quantity = JW_QUANTITY_PRESSURE, ear.size = sizes[s], ear.distance = 2.5;
      ring(frequencies[f], &ear, pressure, COUNT);
      for (int i = 0; i < LATE; ++i) {
        assert_true(pressure[i] == 0.0);
      }
      const double complex s_over_c = 2.0 * PI * I * frequencies[f] * sizes[s] / SOUND;
      const double complex expected =
          DENSITY * SOUND * sizes[s] / 2.5 * s_over_c / (1.0 + s_over_c);
      const double complex heard = part(pressure + SKIP + LATE, COUNT - SKIP - LATE, frequencies[f])
                                   / part(velocity + SKIP, COUNT - SKIP - LATE, frequencies[f]);
      const double turn = PI * frequencies[f] / RATE, warp = tan(turn) / turn - 1.0;
      assert_true(cabs(heard / expected - 1.0) < warp / cabs(1.0 + s_over_c) + 1e-4);
    }
  }
}

// A step, heard as a displacement: 1 at once, and what each of the six nearest walls adds later.
#define SIDES                                                                                      \
  { 5.0, 4.0, 3.0 }

typedef struct {
  double late, gain;
} Echo;

static int earlier(const void* a, const void* b) {
  const double d = ((const Echo*)a)->late - ((const Echo*)b)->late;
  return (d > 0.0) - (d < 0.0);
}

static void each_wall_answers_when_and_as_loud_as_its_mirror_image(void** state) {
  (void)state;
  enum { COUNT = 2400 };
  static double out[COUNT];
  static const double room[3] = SIDES, source[3] = {1.3, 1.1, 0.7}, listener[3] = {3.9, 2.2, 1.9};
  JwWorldDef def = jw_world_default();
  def.sample_rate = RATE, def.channels = 1, def.walls = 0.4, def.reflections = 1, def.dull = 1e5;
  for (int i = 0; i < 3; ++i) {
    def.room[i] = room[i], def.source[i] = source[i], def.listener[i] = listener[i];
  }
  Echo echoes[6];
  const double direct = sqrt(2.6 * 2.6 + 1.1 * 1.1 + 1.2 * 1.2);
  for (int i = 0; i < 6; ++i) {
    double image[3] = {source[0], source[1], source[2]};
    image[i / 2] = i % 2 ? 2.0 * room[i / 2] - source[i / 2] : -source[i / 2];
    const double x = image[0] - listener[0], y = image[1] - listener[1], z = image[2] - listener[2],
                 far = sqrt(x * x + y * y + z * z);
    echoes[i] = (Echo){(far - direct) / SOUND * RATE, sqrt(0.6) * direct / far};
  }
  qsort(echoes, 6, sizeof echoes[0], earlier);
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  const JwObjectId mass = add_mass(world, 1.0, 1.0, 0.0);
  add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_DISPLACEMENT);
  MUST(world, jw_world_prepare(world));
  MUST(world, jw_world_run_double(world, (double* const[]){out}, COUNT));
  jw_world_destroy(world);
  double sum = 1.0;
  int seen = 0;
  assert_true(out[0] == 1.0);
  for (int i = 0; i <= 6; ++i) {
    const double next = i < 6 ? echoes[i].late : COUNT - 1;
    // The wall's low-pass at 100 kHz swings out by 0.77 a frame: 1e-4 after 36
    if (next - (i ? echoes[i - 1].late : 0.0) > 40.0) {
      assert_true(fabs(out[(int)next - 1] - sum) < 1e-4);
      ++seen;
    }
    sum += i < 6 ? echoes[i].gain : 0.0;
  }
  assert_true(seen >= 4);
}

// Left is nearer to the left wall: both ears hear the same walls at other times.
static void make_room(JwWorld** world) {
  JwWorldDef def = jw_world_default();
  def.sample_rate = RATE, def.channels = 2, def.reflections = 3;
  def.room[0] = 6.0, def.room[1] = 5.0, def.room[2] = 3.0;
  assert_int_equal(jw_world_create(&def, world), JW_STATUS_OK);
  JwPickupDef ear = jw_pickup_default();
  JwMassDef mass = jw_mass_default();
  mass.mass = 1e-3, mass.frequency = 700.0, mass.velocity = 1.0, mass.loss = 0.5;
  MUST(*world, jw_world_add_mass(*world, &mass, &ear.port.object));
  ear.quantity = JW_QUANTITY_PRESSURE, ear.distance = 1.0;
  MUST(*world, jw_world_add_pickup(*world, &ear, NULL));
  MUST(*world, jw_world_prepare(*world));
}

static void run_by(JwWorld* world, double (*out)[24000], uint32_t from, uint32_t to,
                   uint32_t block) {
  for (uint32_t at = from, n; at < to; at += n) {
    n = to - at < block ? to - at : block;
    double* const channels[2] = {out[0] + at, out[1] + at};
    MUST(world, jw_world_run_double(world, channels, n));
  }
}

// The mass comes to rest within 0.4 s, and the room after it; then it is thrown again.
static void blocks_sleep_and_snapshots_change_nothing_in_the_air(void** state) {
  (void)state;
  enum { COUNT = 24000, MIDDLE = 700 };
  static double once[2][COUNT], again[2][COUNT];
  JwWorld* world = NULL;
  make_room(&world);
  run_by(world, once, 0, COUNT, 64);
  assert_int_equal(jw_world_info(world).awake, 0);
  assert_true(once[0][COUNT - 1] == 0.0 && once[1][COUNT - 1] == 0.0);
  assert_true(memcmp(once[0], once[1], sizeof once[0]) != 0);
  static const uint32_t blocks[] = {1, 7, 500};
  for (int b = 0; b < 3; ++b) {
    jw_world_reset(world);
    run_by(world, again, 0, MIDDLE, blocks[b]);
    const size_t size = jw_world_snapshot_size(world);
    void* const memory = malloc(size);
    MUST(world, jw_world_snapshot(world, memory, size));
    run_by(world, again, MIDDLE, MIDDLE + 300, 9);
    MUST(world, jw_world_restore(world, memory, size));
    free(memory);
    run_by(world, again, MIDDLE, COUNT, blocks[b]);
    assert_memory_equal(once, again, sizeof once);
  }
  jw_world_destroy(world);
}

static void who_stands_outside_of_the_room_is_refused(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  def.channels = 2, def.room[0] = 6.0, def.room[1] = 5.0, def.room[2] = 3.0;
  JwWorld* world = NULL;
  def.source[1] = 5.0;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(NULL),
                      "world: source[1] is 5, must be below room[1], which is 5");
  def.source[1] = 2.0, def.listener[0] = 2.0, def.listener[1] = 2.0, def.listener[2] = 1.95;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(NULL),
                      "world: listener is 0.05 m from source, must be at least 0.1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_place_is_heard_as_a_sphere_that_breathes),
      cmocka_unit_test(each_wall_answers_when_and_as_loud_as_its_mirror_image),
      cmocka_unit_test(blocks_sleep_and_snapshots_change_nothing_in_the_air),
      cmocka_unit_test(who_stands_outside_of_the_room_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
