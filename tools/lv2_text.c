// SPDX-License-Identifier: MIT
// What a bundle says about its plug-ins, as Turtle.

#include "lv2.h"
#include "ports.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- words

static void put_text(FILE* file, const char* text) {
  fputc('"', file);
  for (const char* c = text; *c; ++c) {
    if (*c == '"' || *c == '\\') {
      fprintf(file, "\\%c", *c);
    } else if ((unsigned char)*c < 32) {
      fprintf(file, "\\u%04X", (unsigned)*c);
    } else {
      fputc(*c, file);
    }
  }
  fputc('"', file);
}

// As few digits as bring the float back to the bit, which nine always do; Turtle tells whole numbers
// from others, hosts do not.
static void put_number(FILE* file, double value) {
  char text[32] = "";
  for (int digits = 6; digits <= 9 && (text[0] == 0 || strtof(text, NULL) != (float)value);
       ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, (double)(float)value);
  }
  fputs(text, file);
  if (!strpbrk(text, ".e")) {
    fputs(".0", file);
  }
}

// A preset's name as the end of a URI.
static void put_slug(FILE* file, const char* name) {
  for (const char* c = name; *c; ++c) {
    const bool plain =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    plain ? fputc(*c, file) : fprintf(file, "_%02X", (unsigned char)*c);
  }
}

static void put_uri(FILE* file, const char* name) {
  fprintf(file, "<" JW_LV2_PREFIX "%s>", name);
}

static void put_preset_uri(FILE* file, const JwLv2Bundle* bundle, const JwLv2Preset* preset) {
  fprintf(file, "<" JW_LV2_PREFIX "%s#preset-", bundle->scenes[preset->scene].name);
  put_slug(file, preset->of.name);
  fputs(">", file);
}

static void put_prefixes(FILE* file) {
  fputs("@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n"
        "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
        "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
        "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
        "@prefix midi: <http://lv2plug.in/ns/ext/midi#> .\n"
        "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "@prefix state: <http://lv2plug.in/ns/ext/state#> .\n"
        "@prefix units: <http://lv2plug.in/ns/extensions/units#> .\n"
        "@prefix urid: <http://lv2plug.in/ns/ext/urid#> .\n",
        file);
}

// ---------------------------------------------------------------- the manifest

char* jw_lv2_manifest(const JwLv2Bundle* bundle, const char* library) {
  char* text = NULL;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  if (!file) {
    return NULL;
  }
  put_prefixes(file);
  for (uint32_t i = 0; i < bundle->scene_count; ++i) {
    const char* const name = bundle->scenes[i].name;
    fputs("\n", file);
    put_uri(file, name);
    fprintf(file, "\n  a lv2:Plugin ;\n  lv2:binary <%s> ;\n  rdfs:seeAlso <%s.ttl> .\n", library,
            name);
  }
  for (uint32_t i = 0; i < bundle->preset_count; ++i) {
    const JwLv2Preset* const preset = &bundle->presets[i];
    const char* const name = bundle->scenes[preset->scene].name;
    fputs("\n", file);
    put_preset_uri(file, bundle, preset);
    fprintf(file,
            "\n  a pset:Preset ;\n  lv2:appliesTo <" JW_LV2_PREFIX
            "%s> ;\n  rdfs:seeAlso <%s.ttl> .\n",
            name, name);
  }
  const bool good = fclose(file) == 0;
  return good ? text : (free(text), NULL);
}

// ---------------------------------------------------------------- a plug-in

static void put_port(FILE* file, uint32_t index, const char* kind, const char* symbol,
                     const char* name) {
  fprintf(file, " ,\n  [ a %s ;\n    lv2:index %u ;\n    lv2:symbol \"%s\" ;\n    lv2:name ", kind,
          index, symbol);
  put_text(file, name);
}

static void put_unit(FILE* file, const char* unit) {
  static const char* const known[][2] = {
      {"m", "units:m"}, {"s", "units:s"}, {"Hz", "units:hz"}, {"dB", "units:db"}};
  if (!unit[0]) {
    return;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strcmp(unit, known[i][0]) == 0) {
      fprintf(file, " ;\n    units:unit %s", known[i][1]);
      return;
    }
  }
  fputs(" ;\n    units:unit [ a units:Unit ; rdfs:label ", file);
  put_text(file, unit);
  fputs(" ; units:symbol ", file);
  put_text(file, unit);
  fprintf(file, " ; units:render \"%%f %s\" ]", unit);
}

static void put_control(FILE* file, uint32_t index, const JwFaceControl* control) {
  put_port(file, index, "lv2:InputPort , lv2:ControlPort", control->symbol, control->name);
  fputs(" ;\n    lv2:minimum ", file);
  put_number(file, control->minimum);
  fputs(" ;\n    lv2:maximum ", file);
  put_number(file, control->maximum);
  fputs(" ;\n    lv2:default ", file);
  put_number(file, control->initial);
  put_unit(file, control->unit);
  fputs("\n  ]", file);
}

static void put_fixed_ports(FILE* file) {
  fprintf(file,
          "  lv2:port\n  [ a lv2:InputPort , atom:AtomPort ;\n    lv2:index %d ;\n"
          "    lv2:symbol \"events\" ;\n    lv2:name \"Events\" ;\n"
          "    atom:bufferType atom:Sequence ;\n    atom:supports midi:MidiEvent ;\n"
          "    lv2:designation lv2:control\n  ]",
          JW_LV2_EVENTS);
  put_port(file, JW_LV2_LEFT, "lv2:OutputPort , lv2:AudioPort", "left", "Left");
  fputs("\n  ]", file);
  put_port(file, JW_LV2_RIGHT, "lv2:OutputPort , lv2:AudioPort", "right", "Right");
  fputs("\n  ]", file);
  put_port(file, JW_LV2_LATENCY, "lv2:OutputPort , lv2:ControlPort", "latency", "Latency");
  fputs(" ;\n    lv2:designation lv2:latency ;\n    lv2:portProperty lv2:reportsLatency , "
        "lv2:integer ;\n    lv2:minimum 0 ;\n    lv2:maximum 40 ;\n    units:unit units:frame\n  ]",
        file);
}

static void put_preset(FILE* file, const JwLv2Bundle* bundle, const JwLv2Preset* preset) {
  const JwLv2Scene* const scene = &bundle->scenes[preset->scene];
  fputs("\n", file);
  put_preset_uri(file, bundle, preset);
  fprintf(file, "\n  a pset:Preset ;\n  lv2:appliesTo <" JW_LV2_PREFIX "%s> ;\n  rdfs:label ",
          scene->name);
  put_text(file, preset->of.name);
  for (uint32_t i = 0; i < preset->of.count; ++i) {
    fprintf(file, " ;\n  lv2:port [ lv2:symbol \"%s\" ; pset:value ",
            scene->face.controls[preset->of.controls[i]].symbol);
    put_number(file, preset->of.values[i]);
    fputs(" ]", file);
  }
  fputs(" .\n", file);
}

// LV2 has odd numbers for what is not released.
static void put_version(FILE* file) {
  unsigned major = 0, minor = 0, micro = 0;
  sscanf(jw_version(), "%u.%u.%u", &major, &minor, &micro);
  fprintf(file, "  lv2:minorVersion %u ;\n  lv2:microVersion %u ;\n", 2 * (100 * major + minor),
          2 * micro);
}

char* jw_lv2_plugin(const JwLv2Bundle* bundle, uint32_t index) {
  const JwLv2Scene* const scene = &bundle->scenes[index];
  char* text = NULL;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  if (!file) {
    return NULL;
  }
  put_prefixes(file);
  fputs("\n", file);
  put_uri(file, scene->name);
  fputs("\n  a lv2:InstrumentPlugin , lv2:Plugin ;\n  doap:name ", file);
  put_text(file, scene->title);
  fputs(" ;\n", file);
  put_version(file);
  if (bundle->pictures) {
    fprintf(file, "  foaf:depiction <%s.svg> ;\n", scene->name);
  }
  fputs("  lv2:requiredFeature urid:map ;\n  lv2:optionalFeature lv2:hardRTCapable ;\n"
        "  lv2:extensionData state:interface ;\n",
        file);
  put_fixed_ports(file);
  for (uint32_t i = 0; i < scene->face.count; ++i) {
    put_control(file, JW_LV2_CONTROLS + i, &scene->face.controls[i]);
  }
  fputs(" .\n", file);
  if (bundle->pictures) {
    fprintf(file, "\n<%s.svg> a foaf:Image .\n", scene->name);
  }
  for (uint32_t i = 0; i < bundle->preset_count; ++i) {
    if (bundle->presets[i].scene == index) {
      put_preset(file, bundle, &bundle->presets[i]);
    }
  }
  const bool good = fclose(file) == 0;
  return good ? text : (free(text), NULL);
}
