// SPDX-License-Identifier: MIT
// jawari info: what a scene is made of, before it is rendered.

#include "tool.h"

#include <math.h>
#include <string.h>

typedef struct {
  double rate;
  uint32_t oversample;
  bool strict;
  JwSceneWish wish;
} Fields;

static const JwOption options[] = {
    {"--rate", "-r", "HZ", "Sample rate, instead of the scene's.", JW_OPTION_NUMBER,
     offsetof(Fields, rate), 1000, 1e8, NULL},
    {"--oversample", NULL, "N", "As if computed at N times the sample rate.", JW_OPTION_COUNT,
     offsetof(Fields, oversample), 1, 64, NULL},
    JW_OPTION_WISH(offsetof(Fields, wish)),
    JW_OPTION_STRICT(offsetof(Fields, strict)),
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

// ---------------------------------------------------------------- objects

static void print_object(const JwObjectInfo* info) {
  char grid[32] = "-", margin[16] = "-", pitch[24] = "-", note[24] = "";
  if (info->spacing[1] > 0.0) {
    snprintf(grid, sizeof grid, "%u x %u", info->grid[0], info->grid[1]);
  } else if (info->grid[0]) {
    snprintf(grid, sizeof grid, "%u%s", info->grid[0], info->spacing[0] > 0.0 ? "" : " modes");
  }
  if (info->margin > 0.0 && isfinite(info->margin)) {
    snprintf(margin, sizeof margin, "%.4f", info->margin);
  }
  if (info->fundamental > 0.0) {
    snprintf(pitch, sizeof pitch, "%.2f Hz", info->fundamental);
    jw_tool_note(info->fundamental, note);
  }
  printf("  %-16.40s %-8s %7u  %-11s %9s  %12s  %-8s  %8.3g kg\n", info->name,
         jw_kind_name(info->kind), info->points, grid, margin, pitch, note, info->mass);
}

static void print_objects(const JwWorld* world, uint32_t count) {
  printf(
      "\nobjects%11s kind      points  grid           margin         pitch  note           mass\n",
      "");
  for (uint32_t i = 1; i <= count; ++i) {
    const JwObjectInfo info = jw_world_object_info(world, (JwObjectId){i});
    print_object(&info);
  }
  printf(
      "  margin: grid spacing over the smallest stable one, or the highest frequency's distance from the limit; above 1\n");
}

// ---------------------------------------------------------------- contacts and the rest

static void port_text(const JwWorld* world, const JwPort* port, char text[80]) {
  const JwObjectInfo info = jw_world_object_info(world, port->object);
  if (info.kind == JW_KIND_PLATE) {
    snprintf(text, 80, "%.50s@%.4g,%.4g", info.name, port->x, port->y);
  } else if (info.kind == JW_KIND_STRING || info.kind == JW_KIND_MODAL) {
    snprintf(text, 80, "%.50s@%.4g", info.name, port->x);
  } else {
    snprintf(text, 80, "%.50s", port->object.index ? info.name : "");
  }
}

static void print_contacts(const JwWorld* world, uint32_t count) {
  printf(count ? "\ncontacts\n" : "");
  for (uint32_t i = 1; i <= count; ++i) {
    char a[80], b[80];
    const JwContactInfo info = jw_world_contact_info(world, (JwContactId){i});
    port_text(world, &info.port[0], a);
    port_text(world, &info.port[1], b);
    printf("  %-16.40s %-11s %5u point%s  %s%s%s\n", info.name[0] ? info.name : "-",
           jw_kind_name(info.kind), info.points, info.points == 1 ? " " : "s", a, b[0] ? ", " : "",
           b);
  }
}

static void print_pickups(const JwWorld* world, uint32_t count) {
  static const char* const quantities[] = {"velocity", "displacement", "force"};
  printf(count ? "\npickups\n" : "\nno pickups: nothing is heard\n");
  for (uint32_t i = 1; i <= count; ++i) {
    char port[80];
    const JwPickupDef pickup = jw_world_pickup_info(world, (JwPickupId){i});
    port_text(world, &pickup.port, port);
    if (pickup.contact.index) {
      snprintf(port, sizeof port, "contact %s", jw_world_contact_info(world, pickup.contact).name);
    }
    printf("  %-16.40s %s of %s\n", pickup.name[0] ? pickup.name : "-", quantities[pickup.quantity],
           port);
  }
}

static void print_cost(JwWorld* world, double rate, double duration) {
  JwCost cost;
  const JwWorldInfo info = jw_world_info(world);
  printf("\ncost\n");
  printf("  grid points      %llu\n", (unsigned long long)info.points);
  printf("  contact points   %llu in %u island%s, the largest of %u\n",
         (unsigned long long)info.contact_points, info.islands, info.islands == 1 ? "" : "s",
         info.largest_island);
  if (jw_world_cost(world, &cost) == JW_STATUS_OK) {
    printf("  memory           %.3g MB\n", 1e-6 * (double)cost.bytes);
    printf(
        "  operations       %.4g a sample, %.3g million a second of sound, %.3g billion in all\n",
        cost.operations, 1e-6 * cost.operations * rate, 1e-9 * cost.operations * rate * duration);
  }
}

// ---------------------------------------------------------------- the verb

static int print(const char* name, JwScene* scene, const Fields* fields) {
  const JwSceneInfo about = jw_scene_info(scene);
  JwWorldDef def = jw_scene_world(scene);
  const uint32_t oversample = fields->oversample ? fields->oversample : about.oversample;
  const double rate = isnan(fields->rate) ? def.sample_rate / about.oversample : fields->rate;
  def.sample_rate = rate * oversample;
  JwWorld* world = NULL;
  JwStatus status = jw_scene_build(scene, &def, &world);
  if (status) {
    jw_tool_print_errors(scene);
    return status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
  }
  status = jw_world_prepare(world);
  if (status) {
    jw_tool_fail("%s: %s", name, jw_world_error(world));
    jw_world_destroy(world);
    return status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
  }
  const JwWorldInfo info = jw_world_info(world);
  printf("%s%s%s\n", name, about.title[0] ? ": " : "", about.title);
  printf(about.description[0] ? "  %s\n" : "%s", about.description);
  printf("  %.4g s at %g Hz", about.duration, rate);
  printf(oversample > 1 ? ", computed at %u times that\n" : "\n", oversample);
  print_objects(world, info.objects);
  print_contacts(world, info.contacts);
  print_pickups(world, info.pickups);
  print_cost(world, def.sample_rate, about.duration);
  printf(about.source_count ? "\nsources\n" : "");
  for (uint32_t i = 0; i < about.source_count; ++i) {
    printf("  %s\n", jw_scene_source(scene, i));
  }
  fflush(stdout);
  jw_tool_print_warnings(scene, world);
  jw_world_destroy(world);
  return JW_EXIT_OK;
}

static int run(int argc, char** argv) {
  Fields fields = {.rate = JW_UNSET};
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_info, argc, argv, &fields, NULL);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  JwScene* scene = NULL;
  int status = jw_tool_open(argv[1], &fields.wish, &scene);
  status = status ? status : print(argv[1], scene, &fields);
  jw_scene_destroy(scene);
  return jw_tool_close_warnings(fields.strict, status);
}

const JwVerb jw_verb_info = {
    .name = "info",
    .summary = "what a scene is made of and will cost",
    .usage = "SCENE",
    .about =
        "Shows the objects with their grids, how far each is from the stability limit, and its pitch; the contacts "
        "and what they join; the pickups; islands, memory and operations, before anything is rendered.",
    .examples = "jawari info tromba-marina # a built-in scene\n"
                "jawari info my.json --rate 96000 # what a higher rate would cost\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
